/** What the Guide looks at and for how long; sizes in bytes, times in ms. Each is named in the answer when it bites. */

import { MAX_MESSAGE_BYTES } from '../../../../src-shared/limits.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The operator's text and the paths of the attachments. */
export const MAX_PROMPT_BYTES = MAX_MESSAGE_BYTES + 1 * MIB;
/** Words are looked for at the beginning of a message; a pasted log after it is not read. */
export const MAX_READ_TEXT_LENGTH = 20_000;

export const COMMAND_TIMEOUT_MS = 10_000;
/** Output of one command that is kept. */
export const MAX_COMMAND_OUTPUT_BYTES = 64 * KIB;

/** Pixels above which an image is measured but not decoded. */
export const MAX_DECODED_PIXELS = 24_000_000;

export const MAX_SURVEY_FILES = 20_000;
export const MAX_SURVEY_DIRECTORIES = 5_000;
export const MAX_SURVEY_DEPTH = 24;
/** Of all files together, read to count lines. */
export const MAX_SURVEY_BYTES = 256 * MIB;
/** A larger file is counted, but its lines are not. */
export const MAX_COUNTED_FILE_BYTES = 4 * MIB;
export const MAX_SURVEY_MS = 8_000;

/** Of a README or a manifest. */
export const MAX_PROJECT_FILE_BYTES = 256 * KIB;
/** Of a file that the message names. */
export const MAX_SHOWN_LINES = 40;
export const MAX_SHOWN_BYTES = 8 * KIB;
export const MAX_NAMED_FILES = 3;

/** Turns that a session remembers; the first is always kept. */
export const MAX_REMEMBERED_TURNS = 200;
/** Of each remembered message. */
export const MAX_REMEMBERED_TEXT_LENGTH = 2_000;
export const MAX_SESSION_BYTES = 4 * MIB;
