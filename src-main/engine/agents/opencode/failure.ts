import { integerAt, isShape, type Shape, shapeAt, textAt } from '../shape.ts';

/**
 * An error of opencode 1.18 (`{name, data: {message, statusCode, responseBody}}`) in one line: its words, and in brackets
 * what else tells errors apart. The provider's own code stands in the body, or, of an error inside a stream, in words that
 * are JSON themselves.
 */
export function failureText(error: Shape): string {
  const data = shapeAt(error, 'data');
  const message = textAt(data, 'message') ?? textAt(error, 'message') ?? 'it reported a failure without words';
  const worded = parsed(message);
  const provider = shapeAt(parsed(textAt(data, 'responseBody')), 'error');
  const status = integerAt(data, 'statusCode');
  const marks = [
    textAt(error, 'name'),
    status === null ? null : `HTTP ${status}`,
    ...[worded, provider].flatMap((source) => [textAt(source, 'type'), textAt(source, 'code')]),
  ].filter((mark) => mark !== null && mark !== '');
  const words = textAt(worded, 'message') ?? message;
  return marks.length === 0 ? words : `${words} (${[...new Set(marks)].join(', ')})`;
}

function parsed(text: string | null): Shape {
  if (text === null || !text.startsWith('{')) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isShape(value) ? value : {};
  } catch {
    // A page of a proxy, or words that only look like JSON: the message is all there is.
    return {};
  }
}
