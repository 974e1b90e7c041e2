import { MAX_ARTIFACT_READ_BYTES } from '../../src-shared/limits.ts';

/** The limits of the review pane. Sizes are bytes unless they say otherwise. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** What the live view shows of output that was there before it was opened: its end. */
export const LIVE_TAIL_BYTES = MAX_ARTIFACT_READ_BYTES;
/** How far the live view may fall behind before it skips towards the end, and how near to the end it goes on then. */
export const MAX_LIVE_BEHIND_BYTES = 2 * MIB;
export const LIVE_CATCH_UP_BYTES = 256 * KIB;
/** Output that is held while the terminal is busy; what is more is read from the file again. */
export const MAX_LIVE_HELD_BYTES = 1 * MIB;
/** One write to the terminal, in one frame. */
export const LIVE_WRITE_BYTES = 32 * KIB;
/** Output that begins within a line begins with the next one, if that is so near. */
export const LIVE_ALIGN_BYTES = 8 * KIB;
/** Lines that the terminal keeps; all of them are in the artifact. */
export const LIVE_SCROLLBACK_LINES = 10_000;

/** One read while a file is indexed or searched. */
export const SCAN_BYTES = MAX_ARTIFACT_READ_BYTES;
/** Lines, and bytes, between two remembered places of a file. */
export const INDEX_LINES = 128;
export const INDEX_BYTES = 64 * KIB;
/** What a line shows before it is folded. */
export const MAX_SHOWN_LINE_BYTES = 1_000;
/** What is shown of one folded line when it is opened. */
export const MAX_OPENED_LINE_BYTES = 256 * KIB;
/** Blocks of decoded lines that are kept: at most `INDEX_BYTES` of text each. */
export const MAX_KEPT_BLOCKS = 48;
/** A JSON file up to this size can be shown indented. */
export const MAX_INDENTED_JSON_BYTES = 1 * MIB;
/** A text up to this size can be copied whole. */
export const MAX_COPIED_BYTES = 4 * MIB;
/** The beginning of a file that decides whether it is shown as text. */
export const SNIFFED_BYTES = 4 * KIB;
/** The tallest box that Chromium lays out right has 2^25 px; a longer file scrolls in proportion. CSS pixels. */
export const MAX_SCROLL_HEIGHT = 16_000_000;

/** Pages of evidence that are kept. */
export const MAX_KEPT_EVIDENCE_PAGES = 12;
/** Rows that a search of the evidence collects before it stops. */
export const MAX_FOUND_EVIDENCE = 2_000;
