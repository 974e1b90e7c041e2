/** UTF-16 code units of a tool card's title. */
export const MAX_TOOL_TITLE_LENGTH = 300;
/** UTF-16 code units of a command that is kept as evidence; a longer one (a pasted file) is in the stdout artifact. */
export const MAX_COMMAND_LENGTH = 16 * 1024;
/** UTF-16 code units of an agent's error as it stands in a sentence. */
export const MAX_DETAIL_LENGTH = 600;
