/** Limits of the native agent's tools; each is told to the model when it bites. Sizes in bytes, times in ms. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** A path as a model gives it, UTF-16 code units. */
export const MAX_PATH_LENGTH = 4_096;
/** The title of a call, UTF-16 code units. */
export const TITLE_LENGTH = 200;
/** What a complaint about bad input may repeat of field names and problems. */
export const MAX_COMPLAINT_FIELDS = 12;
export const MAX_COMPLAINT_LENGTH = 300;

/** Lines of one `read`, unless fewer are asked for; more cannot be. */
export const READ_LINES = 2_000;
/** Text of one `read`. */
export const READ_BYTES = 64 * KIB;
/** What is shown of one line. */
export const READ_LINE_BYTES = 4 * KIB;
/** How far into a file `read` looks for the first line asked for. */
export const READ_SCAN_BYTES = 1024 * MIB;
/** One read of the file. */
export const READ_CHUNK_BYTES = 256 * KIB;

/** The content of one `write`. */
export const MAX_WRITE_BYTES = 8 * MIB;
/** A file that `edit` takes, before and after. */
export const MAX_EDIT_BYTES = 8 * MIB;

/** Files that one `glob` names. */
export const GLOB_MATCHES = 1_000;
/** Files and directories that one `glob` looks at. */
export const WALK_ENTRIES = 200_000;
export const WALK_DEPTH = 64;
/** Patterns that the braces of one pattern may stand for. */
export const MAX_BRACE_PATTERNS = 128;

/** Lines (or files) that one `grep` returns. */
export const GREP_MATCHES = 500;
export const GREP_BYTES = 48 * KIB;
/** What is shown of one matching line. */
export const GREP_LINE_BYTES = 400;
/** A line that a search program prints; a longer one is counted, not read. */
export const GREP_MAX_LINE_BYTES = 1 * MIB;
export const GREP_WALL_MS = 30_000;
/** What a search program may print in all. */
export const GREP_OUTPUT_BYTES = 256 * MIB;

/** Limits of a command, unless the call says otherwise, and the longest it can ask for. */
export const BASH_WALL_MS = 2 * 60_000;
export const BASH_IDLE_MS = 5 * 60_000;
export const BASH_MAX_LIMIT_MS = 60 * 60_000;
/** A command line. */
export const BASH_MAX_COMMAND_BYTES = 100 * KIB;
/** What the model is shown of each stream: its beginning and its end. The whole is an artifact. */
export const BASH_HEAD_BYTES = 8 * KIB;
export const BASH_TAIL_BYTES = 16 * KIB;
/** stdout or stderr of one command; what prints more is ended. */
export const BASH_OUTPUT_BYTES = 256 * MIB;
/** Between the polite signal and the one that cannot be refused; never more than half of the turn's grace. */
export const BASH_TERM_GRACE_MS = 1_000;

/** How long the sandbox may take to prove that it works. */
export const SANDBOX_PROBE_MS = 10_000;
