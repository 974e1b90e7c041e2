import type { ToolOutcome } from '../tool.ts';

/** What a tool throws to end as anything but `ok`: the sentence is for the model. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: 'failed' | 'denied' | 'interrupted',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function ok(text: string, attachments: ToolOutcome['attachments'] = []): ToolOutcome {
  return { status: 'ok', text, attachments };
}

export function notOk(status: Refusal['status'], text: string): ToolOutcome {
  return { status, text, attachments: [] };
}

export const INTERRUPTED_TEXT = 'Interrupted: the turn was stopped before this was done.';

/** @throws Refusal `interrupted` when the signal has fired: asked right before anything that has an effect. */
export function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted) throw new Refusal('interrupted', INTERRUPTED_TEXT);
}

/** The code of a file system error; `null` for anything else. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
