import type { Seat, Turn } from '../../src-shared/conversations.ts';
import type { InvocationState } from '../../src-shared/fold.ts';
import type { InvocationId } from '../../src-shared/ids.ts';
import { seatIdOf } from '../conversation/seats.ts';
import type { ConversationView } from '../state/view.ts';

/** What the review pane looks at: one seat's work in one turn. */
export interface Subject {
  readonly turn: Turn;
  readonly state: InvocationState;
  readonly seat: Seat | undefined;
}

/** All that can be reviewed of the loaded turns, newest first. */
export function subjects(view: ConversationView): Subject[] {
  return view.turnIds.toReversed().flatMap((turnId) => {
    const turn = view.turns[turnId];
    if (turn === undefined) return [];
    return turn.invocations.toReversed().map((state) => ({ turn, state, seat: seatOf(view, turn, state) }));
  });
}

function seatOf(view: ConversationView, turn: Turn, state: InvocationState): Seat | undefined {
  const id = seatIdOf(turn, state);
  return view.seats.find((seat) => seat.id === id);
}

/** The chosen invocation, or the latest when none is chosen or the chosen one is not loaded. */
export function subjectOf(view: ConversationView | null, chosen: InvocationId | null): Subject | null {
  if (view === null) return null;
  const all = subjects(view);
  return all.find(({ state }) => state.invocationId === chosen) ?? all[0] ?? null;
}

/** How an invocation stands, in a word or two. */
export function standing({ outcome, started }: InvocationState): string {
  if (outcome === null) return started === null ? 'starting' : 'running';
  if (outcome.kind === 'timed-out') return 'timed out';
  return outcome.kind === 'cancelled' ? 'stopped' : outcome.kind;
}
