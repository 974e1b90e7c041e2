import { basename } from 'node:path';

/** The operator's part of a prompt, and what the rest calls each image. */
export interface ReadPrompt {
  text: string;
  /** The name of each image, in the order of `images`. */
  names: string[];
}

/**
 * Parts the operator's text from the list of attachments below it: the list begins at the first line that holds the
 * path of an image that was handed over. A heading of the list goes with it.
 */
export function readPrompt(prompt: string, images: readonly string[]): ReadPrompt {
  const lines = prompt.split('\n');
  const lineOf = (path: string) => lines.findIndex((line) => line.includes(path));
  const found = images.map(lineOf);
  const first = Math.min(...found.filter((index) => index !== -1), lines.length);
  const text = lines.slice(0, first);
  while (first < lines.length && /^\s*$|:\s*$/.test(text.at(-1) ?? 'end')) text.pop();
  const names = images.map((path, index) => {
    const line = lines[found[index] ?? -1] ?? '';
    return /[“"]([^”"]+)[”"]/.exec(line.replace(path, ''))?.[1] ?? basename(path);
  });
  return { text: text.join('\n').trim(), names };
}
