import type { InvocationState } from '../../src-shared/fold.ts';

/** A call that the agent's own rules refused. */
export interface Denial {
  readonly id: string;
  /** What was asked: the command, the path. */
  readonly what: string;
  /** As the agent worded it; may be empty. */
  readonly reason: string;
}

/** The refused calls among the steps that are kept, in order. */
export function denialsOf({ parts }: InvocationState): Denial[] {
  return parts.flatMap((part): Denial[] => {
    if (part.kind === 'denied') return [{ id: part.id, what: part.what, reason: part.reason }];
    if (part.kind !== 'tool' || part.status !== 'denied') return [];
    const what = part.title === '' ? part.tool : part.title;
    return [{ id: part.id, what, reason: part.output }];
  });
}

/** Refused calls whose steps are no longer kept. */
export function omittedDenials(state: InvocationState): number {
  return Math.max(0, state.deniedCount - denialsOf(state).length);
}
