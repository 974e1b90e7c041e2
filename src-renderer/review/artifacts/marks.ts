/** A stretch of text; `isMark` says that it stands for bytes that are no readable text. */
export interface Segment {
  readonly text: string;
  readonly isMark: boolean;
}

const TAB = 0x09;
const DELETE = 0x7f;
const RETURN = 0x0d;

/** Characters that reorder or hide others: what they would do to a line is not what is in the file. */
const HIDING = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const NEEDS_MARKS = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]|${HIDING.source}`);

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const byteMark = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`;

function markFor(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  if (code === TAB) return null;
  if (code === RETURN) return '\\r';
  if (code < 0x20 || code === DELETE) return byteMark(code);
  if ((code >= 0x80 && code < 0xa0) || HIDING.test(character)) {
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return null;
}

/** The length of the UTF-8 character at `at`, by its first byte; 0 where none can begin. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

function decodeOne(bytes: Uint8Array, at: number): { text: string; length: number } | null {
  const length = lengthAt(bytes, at);
  if (length === 0 || at + length > bytes.byteLength) return null;
  try {
    return { text: strict.decode(bytes.subarray(at, at + length)), length };
  } catch {
    // Not UTF-8: the byte is shown as a number.
    return null;
  }
}

function whole(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    // Not UTF-8 throughout: it is decoded piece by piece.
    return null;
  }
}

/** Bytes of one line as text in which nothing is lost or hidden: what is no readable text is a mark. */
export function decodeMarked(bytes: Uint8Array): Segment[] {
  const text = whole(bytes);
  if (text !== null && !NEEDS_MARKS.test(text)) return text === '' ? [] : [{ text, isMark: false }];
  const segments: { text: string; isMark: boolean }[] = [];
  const add = (added: string, isMark: boolean) => {
    const last = segments.at(-1);
    if (last !== undefined && last.isMark === isMark) last.text += added;
    else segments.push({ text: added, isMark });
  };
  for (let at = 0; at < bytes.byteLength; ) {
    const one = decodeOne(bytes, at);
    const mark = one === null ? byteMark(bytes[at] ?? 0) : markFor(one.text);
    if (mark !== null) add(mark, true);
    else if (one !== null) add(one.text, false);
    at += one?.length ?? 1;
  }
  return segments;
}

const ESCAPE = 0x1b;
const REPLACEMENT = 0xfffd;
/** One character in this many may be none that text is made of. */
const TOLERATED_ODD = 20;

function isOdd(code: number): boolean {
  const isSpace = code >= TAB && code <= 0x0d;
  return code === REPLACEMENT || (code < 0x20 && !isSpace && code !== ESCAPE);
}

/** Whether the beginning of a file looks like text: no NUL, and hardly anything else that is none. */
export function looksLikeText(start: Uint8Array): boolean {
  if (start.includes(0)) return false;
  const text = new TextDecoder().decode(start);
  let odd = 0;
  for (const character of text) if (isOdd(character.codePointAt(0) ?? 0)) odd += 1;
  // A read that ends within a character makes one of them.
  return odd <= 1 + text.length / TOLERATED_ODD;
}

/** `bytes` up to `limit`, not cut within a character. */
export function clip(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength <= limit) return bytes;
  let end = limit;
  while (end > limit - 4 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
