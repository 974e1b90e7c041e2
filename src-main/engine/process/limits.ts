/** Limits of the process room; times in ms, sizes in bytes. */

/** Between the polite signal and the one that cannot be refused. */
export const TERM_GRACE_MS = 2_000;
/** How long a tree may take to be gone after the last signal before it is reported as left. */
export const KILL_GRACE_MS = 2_000;
/** Between two looks at the process table while a tree is ending. */
export const TREE_POLL_MS = 25;
/** Before the second look that confirms that a tree is gone. */
export const TREE_CONFIRM_MS = 5;
/** How long a turn, or the list of agents, waits for the login shell to say its PATH. */
export const LOGIN_SHELL_PATIENCE_MS = 5_000;
/** How long the login shell may take in all; what it says late holds from then on. */
export const LOGIN_SHELL_LIMIT_MS = 30_000;
/** How long the output of a shell that has ended is still read. */
export const SHELL_OUTPUT_GRACE_MS = 250;
/** Between hanging up on a login shell that did not answer in time and killing it. */
export const HANG_UP_GRACE_MS = 3_000;
/** How long an agent may take to say its version. */
export const VERSION_TIMEOUT_MS = 10_000;
/** One read of a spool. */
export const SPOOL_CHUNK_BYTES = 1024 * 1024;
/** The longest a follower waits before it looks at the file itself, should the file system tell it nothing. */
export const SPOOL_POLL_MS = 200;
/** Between two looks at free space and at the size of the output while a process runs. */
export const WATCHDOG_MS = 1_000;
