import type { Attachment } from '../../../src-shared/attachments.ts';

/** A name as one line: what an operator's file is called must not be able to look like a line of the prompt. */
function oneLine(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  return name.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ');
}

/** How an agent wants its prompt written. */
export interface PromptWriting {
  path(path: string): string;
  /** What must stay text whatever it looks like. */
  text(text: string): string;
}

const PLAIN: PromptWriting = { path: (path) => path, text: (text) => text };

/** Everything the agent is told: the operator's text as it is, then the path and the type of each image. */
export function composePrompt(
  text: string,
  attachments: readonly Attachment[],
  writing: PromptWriting = PLAIN,
): string {
  if (attachments.length === 0) return writing.text(text);
  const lines = attachments.map(
    ({ path, mime, width, height, name }) =>
      `- ${writing.path(path)} (${mime}, ${width} × ${height} px, named “${writing.text(oneLine(name))}”)`,
  );
  const heading =
    attachments.length === 1
      ? 'Attached image. Open it and look at it before you answer:'
      : 'Attached images. Open and look at each of them before you answer:';
  const note = [heading, ...lines].join('\n');
  return text.trim() === '' ? `${note}\n` : `${writing.text(text)}\n\n${note}\n`;
}
