/** Window to main process: `(name, input)`, answered by a `CallResult`. */
export const CALL_CHANNEL = 'parley:call';
/** Main process to window: an array of events, in order. */
export const EVENTS_CHANNEL = 'parley:events';
