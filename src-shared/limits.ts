/** The limits of the contract. Each is shown to the operator when it bites. Bytes are bytes, times are ms. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** One attachment's size. */
export const MAX_ATTACHMENT_BYTES = 20 * MIB;
/** Attachments of one message. */
export const MAX_ATTACHMENTS_PER_MESSAGE = 20;
/** Width and height of an attachment, in pixels. */
export const MAX_ATTACHMENT_SIDE = 8_000;
/** An operator's message; well above the 5 MB that a pasted log may have. */
export const MAX_MESSAGE_BYTES = 16 * MIB;
/** A title, counted in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 200;
/** What is kept of one command's output as evidence or on a tool card: its tail. The whole is in the artifact. */
export const MAX_RESULT_TAIL_BYTES = 1 * KIB;
/** Steps (text, tool cards, notices) of one invocation that the transcript keeps; older ones are counted. */
export const MAX_PARTS = 200;
/** Text of one message of an agent that the transcript keeps; the whole is in the artifact. */
export const MAX_TEXT_PART_LENGTH = 1 * MIB;
/** One line of an agent's event stream; a longer one stays in the artifact and is reported, not read. */
export const MAX_EVENT_LINE_BYTES = 32 * MIB;
/** The end of stderr that is shown with a failure. */
export const STDERR_TAIL_BYTES = 4 * KIB;
/** One read of an artifact across the bridge. */
export const MAX_ARTIFACT_READ_BYTES = 1 * MIB;
/** Turns in one page of a transcript. */
export const TURN_PAGE_SIZE = 40;
/** Evidence rows in one page. */
export const EVIDENCE_PAGE_SIZE = 500;
/** Wall clock of one invocation unless the operator says otherwise. */
export const DEFAULT_TIMEOUT_MS = 60 * 60_000;
/** Without a byte of output for so long an invocation is ended, unless the operator says otherwise. */
export const DEFAULT_IDLE_TIMEOUT_MS = 30 * 60_000;
/** What “Give it more time” adds to both clocks of a running invocation. */
export const MORE_TIME_MS = 30 * 60_000;
/** What a fresh session is told of the transcript; older turns are left out and counted. */
export const MAX_REPLAY_BYTES = 256 * KIB;
export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 24 * 60 * 60_000;
/** Free space below which no turn is started, and a running one is ended before the disk is full. */
export const MIN_FREE_BYTES = 64 * MIB;
/** stdout or stderr of one invocation; what prints more is ended. */
export const MAX_SPOOL_BYTES = 4 * 1024 * MIB;
