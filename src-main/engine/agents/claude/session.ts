const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Claude Code 2.1.197 looks for any other word among the titles of its sessions. */
export function isClaudeSessionId(id: string | null): id is string {
  return id !== null && UUID.test(id);
}
