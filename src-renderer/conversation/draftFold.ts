/**
 * Text that a text box is given at most, in UTF-16 code units. The browser lays all of it out at once: 5 MB take seconds
 * for every key (Chromium 130).
 */
export const MAX_EDITED_LENGTH = 50_000;

/**
 * How much of the beginning of a draft is kept out of the text box. `wanted` is what was kept out before; it is stale
 * when the draft was sent, put back, or opened anew, and then all of a draft that is too long is kept out.
 */
export function foldedLength(text: string, wanted: number): number {
  if (wanted <= text.length && text.length - wanted <= MAX_EDITED_LENGTH) return wanted;
  return text.length > MAX_EDITED_LENGTH ? text.length : 0;
}
