import { basename } from 'node:path';

/** The operator's part of a prompt, and what the rest calls each image. */
export interface ReadPrompt {
  text: string;
  /** The name of each image, in the order of `images`. */
  names: string[];
}

/**
 * Parts the operator's text from the list of attachments below it: the list begins at the first of the last lines that
 * hold the path of an image that was handed over. A heading of the list goes with it.
 */
export function readPrompt(prompt: string, images: readonly string[]): ReadPrompt {
  const lines = prompt.split('\n');
  const listed = images.map((path) => lines.findLastIndex((line) => line.includes(path)));
  const first = Math.min(...listed.filter((index) => index !== -1), lines.length);
  const text = lines.slice(0, first);
  if (first < lines.length && text.at(-1)?.trimEnd().endsWith(':')) text.pop();
  const names = images.map((path, index) => {
    const line = lines[listed[index] ?? -1] ?? '';
    return /“(.*)”/.exec(line.replace(path, ''))?.[1] ?? basename(path);
  });
  return { text: text.join('\n').trim(), names };
}
