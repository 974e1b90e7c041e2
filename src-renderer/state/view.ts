import type {
  Clock,
  ConversationSnapshot,
  ConversationSummary,
  Seat,
  Turn,
  turnState,
} from '../../src-shared/conversations.ts';
import type { SeatEvent } from '../../src-shared/events.ts';
import { emptyInvocationState, foldSeatEvent, type InvocationState } from '../../src-shared/fold.ts';
import type { InvocationId, TurnId } from '../../src-shared/ids.ts';

/** One conversation as the window knows it: the loaded end of its transcript, kept current by events. */
export interface ConversationView {
  readonly conversation: ConversationSummary;
  readonly seats: readonly Seat[];
  /** Loaded turns in the order of their positions. */
  readonly turnIds: readonly TurnId[];
  readonly turns: Readonly<Record<TurnId, Turn>>;
  /** Turns before the first loaded one. */
  readonly earlierTurns: number;
  readonly cwdExists: boolean;
  /** Of what runs. */
  readonly clocks: Readonly<Record<InvocationId, Clock>>;
}

/** How far a turn is. Events may be older than the snapshot they follow, and a turn never goes back. */
const PROGRESS: Readonly<Record<(typeof turnState.options)[number], number>> = {
  queued: 0,
  held: 0,
  scheduled: 0,
  running: 1,
  ended: 2,
};

function sortedIds(turns: Readonly<Record<TurnId, Turn>>): TurnId[] {
  return Object.values(turns)
    .sort((a, b) => a.position - b.position || a.createdAt - b.createdAt)
    .map((turn) => turn.id);
}

function newerInvocation(known: InvocationState | undefined, told: InvocationState): InvocationState {
  return known !== undefined && known.seq > told.seq ? known : told;
}

function newerTurn(known: Turn | undefined, told: Turn): Turn {
  if (known === undefined) return told;
  const current = told.invocations.map((state) =>
    newerInvocation(
      known.invocations.find((candidate) => candidate.invocationId === state.invocationId),
      state,
    ),
  );
  const onlyKnown = known.invocations.filter(
    (state) => !told.invocations.some((candidate) => candidate.invocationId === state.invocationId),
  );
  const base = PROGRESS[told.state] < PROGRESS[known.state] ? known : told;
  return { ...base, invocations: [...current, ...onlyKnown] };
}

function byId(turns: readonly Turn[], known: Readonly<Record<TurnId, Turn>> = {}): Record<TurnId, Turn> {
  const record: Record<TurnId, Turn> = { ...known };
  for (const turn of turns) record[turn.id] = newerTurn(known[turn.id], turn);
  return record;
}

export function viewOf(snapshot: ConversationSnapshot): ConversationView {
  const turns = byId(snapshot.turns);
  return {
    conversation: snapshot.conversation,
    seats: snapshot.seats,
    turns,
    turnIds: sortedIds(turns),
    earlierTurns: snapshot.earlierTurns,
    cwdExists: snapshot.cwdExists,
    clocks: Object.fromEntries(snapshot.clocks.map((clock) => [clock.invocationId, clock])),
  };
}

/** The first loaded turn. */
export function firstTurn(view: ConversationView): Turn | undefined {
  const [id] = view.turnIds;
  return id === undefined ? undefined : view.turns[id];
}

/** The view with a turn that is new or changed. A turn that lies before the loaded ones stays unloaded. */
export function withTurn(view: ConversationView, turn: Turn): ConversationView {
  const known = view.turns[turn.id];
  if (known === undefined) {
    const first = firstTurn(view);
    if (first !== undefined && view.earlierTurns > 0 && turn.position < first.position) return view;
  }
  const turns = { ...view.turns, [turn.id]: newerTurn(known, turn) };
  const reordered = known === undefined || known.position !== turn.position;
  return { ...view, turns, turnIds: reordered ? sortedIds(turns) : view.turnIds };
}

export function withoutTurn(view: ConversationView, turnId: TurnId): ConversationView {
  if (view.turns[turnId] === undefined) return view;
  const { [turnId]: _removed, ...turns } = view.turns;
  return { ...view, turns, turnIds: view.turnIds.filter((id) => id !== turnId) };
}

export function withSeat(view: ConversationView, seat: Seat): ConversationView {
  const others = view.seats.filter((candidate) => candidate.id !== seat.id);
  return { ...view, seats: [...others, seat].sort((a, b) => a.position - b.position) };
}

export function withClock(view: ConversationView, clock: Clock): ConversationView {
  return { ...view, clocks: { ...view.clocks, [clock.invocationId]: clock } };
}

/** The view with an older page before it. */
export function withEarlier(
  view: ConversationView,
  page: { turns: readonly Turn[]; earlierTurns: number },
): ConversationView {
  const turns = byId(page.turns, view.turns);
  return { ...view, turns, turnIds: sortedIds(turns), earlierTurns: page.earlierTurns };
}

/** The view with an invocation as the engine stores it, unless events have overtaken it. */
export function withInvocation(view: ConversationView, turnId: TurnId, state: InvocationState): ConversationView {
  const turn = view.turns[turnId];
  if (turn === undefined) return view;
  return { ...view, turns: { ...view.turns, [turnId]: newerTurn(turn, { ...turn, invocations: [state] }) } };
}

/**
 * The view with more SeatEvents of one invocation. `gap` says that events before them are missing: nothing was applied,
 * and the invocation has to be fetched before they can be.
 */
export function withSeatEvents(
  view: ConversationView,
  turnId: TurnId,
  invocationId: InvocationId,
  events: readonly SeatEvent[],
): { view: ConversationView; gap: boolean } {
  const turn = view.turns[turnId];
  if (turn === undefined) return { view, gap: false };
  const index = turn.invocations.findIndex((candidate) => candidate.invocationId === invocationId);
  let state = turn.invocations[index] ?? emptyInvocationState(invocationId);
  const before = state;
  for (const event of events) {
    if (event.seq > state.seq + 1) return { view, gap: true };
    state = foldSeatEvent(state, event);
  }
  if (state === before) return { view, gap: false };
  const invocations = [...turn.invocations];
  if (index === -1) invocations.push(state);
  else invocations[index] = state;
  return { view: { ...view, turns: { ...view.turns, [turnId]: { ...turn, invocations } } }, gap: false };
}
