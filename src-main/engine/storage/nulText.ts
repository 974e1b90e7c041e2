/**
 * libsql 0.5 binds a text whole and reads it back up to its first NUL: what a message holds after one would be lost. So a
 * NUL is stored as two characters, and so is the character that begins such a pair, a noncharacter that texts do not use.
 */
const MARK = '\u{10FFFF}';
const NUL_PAIR = `${MARK}0`;
const MARK_PAIR = `${MARK}1`;

/** A text as it is stored. */
export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARK_PAIR).replaceAll('\0', NUL_PAIR);
}

/** The text that was stored like this. */
export function decodeText(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  return stored.replaceAll(NUL_PAIR, '\0').replaceAll(MARK_PAIR, MARK);
}
