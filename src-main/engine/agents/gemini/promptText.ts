/**
 * gemini-cli 0.61 reads a prompt before the model does: `@name` becomes the content of a file, found by a search through
 * the whole directory if need be, and a leading `/` makes it a command of the CLI's own. What the operator wrote is
 * neither. The one escape it knows is `\@`, which the model then sees.
 */
const MENTION = /(?<!\\)@(?=[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r]))/g;
/** `//` and a leading comment are text to the CLI as they are. */
const SLASH_COMMAND = /^\/(?![/*])/;

/** Writes text so that nothing in it is a mention or a command. */
export function textInPrompt(text: string): string {
  return escapeMentions(text.replace(SLASH_COMMAND, ' /'));
}

function escapeMentions(text: string): string {
  return text.replace(MENTION, '\\@');
}

/** Whether an `@` in this prompt had to be escaped, or was by whoever wrote it. */
export function hasEscapedMention(prompt: string): boolean {
  return prompt.includes('\\@');
}

/** What a mention cannot name, measured: these it drops without a word, and at a comma directories are split. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in a path are what is looked for.
const UNMENTIONABLE = /[\u0000-\u001f\u007f"[\]{},]/;
const POSIX_BACKSLASH = /^\/.*\\/;
/** What the CLI's own escaping would escape, and what would end a mention. */
const SPECIAL = /[^\w/.\-\u0080-\uffff]|\.$/g;

/** Whether the CLI can be told this path by a mention. */
export function isMentionable(path: string): boolean {
  return !UNMENTIONABLE.test(path) && !POSIX_BACKSLASH.test(path);
}

/** The mention of a path, which hands the file to the model; else the path as text, for the CLI's own file tool. */
export function pathInPrompt(path: string): string {
  if (!isMentionable(path)) return escapeMentions(path);
  if (path.startsWith('/')) return `@${path.replace(SPECIAL, '\\$&')}`;
  // On Windows backslashes part the path, and it is quoted instead.
  return /^[\w:\\/.-]+$/.test(path) ? `@${path}` : `@"${path}"`;
}
