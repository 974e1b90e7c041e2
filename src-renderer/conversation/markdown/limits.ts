/** The limits of Markdown in the window. Lengths are UTF-16 code units. */

/**
 * One block that goes through the Markdown parser. Its time grows with the square of a long list's length (measured with
 * micromark 4.0.3: 1 MB of short list items took minutes), so that a larger one is cut, or shown as plain text.
 */
export const MAX_BLOCK_LENGTH = 16_000;
/** A list that is longer is cut before its next item. */
export const LIST_CUT_LENGTH = 3_000;
/** Small pieces are parsed together up to this length. */
export const JOINED_LENGTH = 2_000;
/** Elements within elements; deeper markup is shown as plain text. */
export const MAX_NESTING = 48;
/** A code block that is longer is shown without colours. */
export const MAX_HIGHLIGHT_LENGTH = 20_000;
/** A code block with more lines than this is folded to {@link FOLDED_CODE_LINES}. */
export const MAX_CODE_LINES = 60;
export const FOLDED_CODE_LINES = 40;
/** What a folded code block shows at most, for the sake of code without line breaks. */
export const FOLDED_CODE_LENGTH = 12_000;
/** A message that is longer shows its end; the part before it is folded. */
export const MAX_SHOWN_LENGTH = 150_000;
/** Link reference definitions of one message, all together. */
export const MAX_DEFINITIONS_LENGTH = 8_000;
