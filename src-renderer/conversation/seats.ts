import type { AgentStatus } from '../../src-shared/agents.ts';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import type { InvocationState } from '../../src-shared/fold.ts';
import type { InvocationId, SeatId } from '../../src-shared/ids.ts';
import type { Outcome } from '../../src-shared/outcome.ts';
import type { ConversationView } from '../state/view.ts';

/** The seat that an invocation belongs to. Before its first event only its place in the turn tells. */
export function seatIdOf(turn: Turn, state: InvocationState): SeatId | undefined {
  if (state.started !== null) return state.started.seatId;
  const index = turn.invocations.findIndex((candidate) => candidate.invocationId === state.invocationId);
  return turn.seatIds[index];
}

/** What a seat was called when it did this: its name is its agent's, and it may have another agent by now. */
export function nameThen(
  { started }: InvocationState,
  seat: Seat | undefined,
  agents: readonly AgentStatus[],
): string | undefined {
  if (seat !== undefined && (started === null || started.agent === seat.agent)) return seat.name;
  return agents.find(({ id }) => id === started?.agent)?.label ?? started?.agent;
}

export interface SeatWork {
  readonly seat: Seat;
  readonly isWorking: boolean;
  /** When it began, ms since the epoch; `null` while it is being started. */
  readonly since: number | null;
  /** The state in words. */
  readonly text: string;
  /** What it works on, once that has begun. */
  readonly invocationId: InvocationId | null;
}

const OUTCOME_WORDS: Readonly<Record<Outcome['kind'], string>> = {
  completed: 'finished',
  failed: 'failed',
  'timed-out': 'timed out',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

const AT_REST = { isWorking: false, since: null, invocationId: null } as const;

/** What each seat does now, or how its last work ended. */
export function seatWork(view: ConversationView): SeatWork[] {
  return view.seats.map((seat) => {
    for (const turnId of view.turnIds.toReversed()) {
      const turn = view.turns[turnId];
      if (turn === undefined) continue;
      const state = turn.invocations.find((candidate) => seatIdOf(turn, candidate) === seat.id);
      if (turn.state === 'running' && turn.seatIds.includes(seat.id) && state?.outcome == null) {
        const since = state?.started?.at ?? null;
        const text = since === null ? 'starting' : 'working';
        return { seat, isWorking: true, since, text, invocationId: state?.invocationId ?? null };
      }
      if (state?.outcome == null) continue;
      // How another agent of this seat ended says nothing of the one that sits there now.
      const isItsOwn = state.started === null || state.started.agent === seat.agent;
      return { seat, ...AT_REST, text: isItsOwn ? OUTCOME_WORDS[state.outcome.kind] : 'ready' };
    }
    return { seat, ...AT_REST, text: 'ready' };
  });
}

/** “Codex”, “Codex and Guide”, “Codex, Guide and Codex 2”. */
export function namesText(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
