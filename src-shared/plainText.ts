// ESC [ … letter, ESC ] … (BEL | ESC \), ESC P/X/^/_ … ESC \, ESC, what stands between, and one character; then the other C0 controls.
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are control characters.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Anything that {@link stripEscapes} would change. Most output has none, and this is the quicker look. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are control characters.
const ANY_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

const ANYTHING_BUT_ASCII_TEXT = /[^\t\n\u0020-\u007e]/;

/** Plain text of what was meant for a terminal: no colours, no cursor movements, no control characters. */
export function stripEscapes(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  return text.replace(ESCAPES, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/**
 * UTF-16 code units that are looked at for a tail, in multiples of its bytes: escapes take room and are taken out. The
 * second look is for what consists of little else.
 */
const WINDOW_FACTORS = [2, 16];
/** How far from the tail a window may begin in the middle of an escape sequence, UTF-16 code units. */
const MAX_ESCAPE_LENGTH = 64;

/** The end of a text as plain text: at most `maxBytes` of UTF-8, beginning at a whole character. */
export function plainTail(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return '';
  const end = text.slice(-maxBytes - MAX_ESCAPE_LENGTH);
  if (!ANYTHING_BUT_ASCII_TEXT.test(end)) return own(end.slice(-maxBytes));
  let plain = '';
  for (const factor of WINDOW_FACTORS) {
    const isWhole = text.length <= maxBytes * factor;
    plain = stripEscapes(isWhole ? text : text.slice(-maxBytes * factor));
    if (isWhole || plain.length >= maxBytes + MAX_ESCAPE_LENGTH) break;
  }
  let bytes = 0;
  let start = plain.length;
  while (start > 0) {
    const low = plain.charCodeAt(start - 1);
    const isPair = isLowSurrogate(low) && start > 1 && isHighSurrogate(plain.charCodeAt(start - 2));
    const size = isPair ? 4 : low < 0x80 ? 1 : low < 0x800 ? 2 : 3;
    if (bytes + size > maxBytes) break;
    bytes += size;
    start -= isPair ? 2 : 1;
  }
  return own(plain.slice(start));
}

/**
 * The slice without the text it was cut from, which V8 would keep in memory for as long as the slice lives: joining makes
 * a text of its own, and cutting that one keeps only it.
 */
function own(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** Plain text on one line, cut with an ellipsis after `maxLength` UTF-16 code units. */
export function oneLine(text: string, maxLength: number): string {
  const line = stripEscapes(text.slice(0, maxLength * 2))
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxLength && text.length <= maxLength * 2) return line;
  const end = isHighSurrogate(line.charCodeAt(maxLength - 2)) ? maxLength - 2 : maxLength - 1;
  return `${line.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
