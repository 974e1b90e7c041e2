/** Words that the Guide's program and its place in the agent table share. */

/** Names the directory in which the Guide keeps its sessions. Whoever finds the embedded program sets it. */
export const GUIDE_HOME_VARIABLE = 'PARLEY_GUIDE_HOME';
/** The Guide ships with Parley and has its version. */
export const GUIDE_VERSION = '0.1.0';
