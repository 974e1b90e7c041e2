import { integerAt, isShape, type Shape, shapeAt, textAt } from '../shape.ts';

/**
 * An error of opencode 1.18 (`{name, data: {message, statusCode, responseBody}}`) in one line: its words, and in brackets
 * what else tells errors apart. The provider's own code stands in the body.
 */
export function failureText(error: Shape): string {
  const data = shapeAt(error, 'data');
  const message = textAt(data, 'message') ?? textAt(error, 'message') ?? 'it reported a failure without words';
  const status = integerAt(data, 'statusCode');
  const marks = [
    textAt(error, 'name'),
    status === null ? null : `HTTP ${status}`,
    ...providerCodes(textAt(data, 'responseBody')),
  ].filter((mark) => mark !== null && mark !== '');
  return marks.length === 0 ? message : `${message} (${[...new Set(marks)].join(', ')})`;
}

function providerCodes(body: string | null): (string | null)[] {
  if (body === null) return [];
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isShape(parsed) ? shapeAt(parsed, 'error') : {};
    return [textAt(error, 'type'), textAt(error, 'code')];
  } catch {
    // A page of a proxy, or nothing: the message is all there is.
    return [];
  }
}
