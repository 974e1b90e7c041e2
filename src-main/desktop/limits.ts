const KIB = 1024;
const MIB = 1024 * KIB;

/** Events go to the window at most this often, ms: once a frame. */
export const EVENT_INTERVAL_MS = 16;
/** Estimated size of one message of events; a single larger event goes alone. */
export const MAX_EVENT_MESSAGE_BYTES = MIB;
/** Raw output waiting for the window. What comes on top is skipped, and the window reads it from the file. */
export const MAX_PENDING_LIVE_BYTES = MIB;
/** How long a quit waits for the engine to end what runs, ms. */
export const QUIT_TIMEOUT_MS = 15_000;
export const MIN_WINDOW_WIDTH = 760;
export const MIN_WINDOW_HEIGHT = 480;
export const DEFAULT_WINDOW_WIDTH = 1_360;
export const DEFAULT_WINDOW_HEIGHT = 860;
