/**
 * In a prompt Claude Code 2.1.197 takes `@PATH` and `@"PATH"`, at the beginning or after white space, for a file to read
 * before it asks the model. It does so by itself, and for every file that no rule denies: also for those that its `Read`
 * tool would not be allowed.
 */

/** A mention of an image: its bytes are in the first request, whatever the model does. */
export function mentionPath(path: string): string {
  return canBeMentioned(path) ? `@"${path}"` : path;
}

/** A quoted mention ends at the next quotation mark, and there is no escape for one. */
export function canBeMentioned(path: string): boolean {
  return !/["\r\n]/.test(path);
}

/** The same text, in which nothing is a mention of a file that may lie outside the working directory. */
export function withoutMentionsOutside(text: string): string {
  return text.replace(MENTION_OUTSIDE, '$1\\@');
}

/** Before it: as in the program. After it: quoted, absolute, from the home directory or a drive, or with a step upwards. */
const MENTION_OUTSIDE = /(^|[\s。、？！])@(?=["~/\\]|[A-Za-z]:|\S*\.\.)/g;
