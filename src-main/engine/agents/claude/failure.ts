/** What Claude Code reports as an error: its kind of error (`rate_limit`, …), and its words. */
export interface Failure {
  readonly kind: string;
  /** When a limit resets, ms since the epoch, where the stream named the moment. */
  readonly resetsAt: number | null;
  readonly text: string;
}

const WRITTEN = /^\[(\w+)(?: until (\d+))?\] (.*)$/s;

/** As one text, which is what a reader reports; {@link parseFailure} takes it apart again. */
export function writeFailure({ kind, resetsAt, text }: Failure): string {
  return `[${kind}${resetsAt === null ? '' : ` until ${resetsAt}`}] ${text}`;
}

export function parseFailure(error: string): Failure {
  const [, kind, resetsAt, text] = WRITTEN.exec(error) ?? [];
  if (kind === undefined || text === undefined) return { kind: 'unknown', resetsAt: null, text: error };
  return { kind, resetsAt: resetsAt === undefined ? null : Number(resetsAt), text };
}
