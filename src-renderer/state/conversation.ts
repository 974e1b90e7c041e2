import { create } from 'zustand';
import type { BridgeEvent, EngineEvent } from '../../src-shared/api.ts';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import type { SeatEvent } from '../../src-shared/events.ts';
import { type Failure, never } from '../../src-shared/failure.ts';
import type { InvocationState } from '../../src-shared/fold.ts';
import type { ConversationId, InvocationId, SeatId, TurnId } from '../../src-shared/ids.ts';
import { TURN_PAGE_SIZE } from '../../src-shared/limits.ts';
import { call } from './bridge.ts';
import { useDrafts } from './drafts.ts';
import { useLayout } from './layout.ts';
import { tellFailure } from './notices.ts';
import { rowKeys } from './rows.ts';
import {
  type ConversationView,
  firstTurn,
  viewOf,
  withClock,
  withEarlier,
  withInvocation,
  withoutTurn,
  withSeat,
  withSeatEvents,
  withTurn,
} from './view.ts';

interface OpenConversation {
  /** The conversation on screen; `null` shows the welcome. */
  id: ConversationId | null;
  /** `null` while it is being opened, and when it could not be. */
  view: ConversationView | null;
  failure: Failure | null;
  loadingEarlier: boolean;
}

const NOTHING_OPEN: OpenConversation = { id: null, view: null, failure: null, loadingEarlier: false };

/** The open conversation. Components read it through the narrow hooks below. */
export const useConversation = create<OpenConversation>()(() => NOTHING_OPEN);

/** Older pages that opening a conversation loads at most to show the place where it was left. */
const MAX_RESTORED_PAGES = 5;

/** Events that arrived while the snapshot they belong after was on its way. */
let early: EngineEvent[] = [];
/** Invocations that are being fetched anew because of a gap, with the events to apply afterwards. */
const healing = new Map<InvocationId, SeatEvent[]>();

/** Opens a conversation; `null` closes the open one. */
export async function openConversation(id: ConversationId | null): Promise<void> {
  early = [];
  healing.clear();
  useConversation.setState({ ...NOTHING_OPEN, id });
  if (id === null) return;
  const result = await call('openConversation', { conversationId: id });
  if (useConversation.getState().id !== id) return;
  if (!result.ok) {
    useConversation.setState({ failure: result.error });
    return;
  }
  useDrafts.getState().adopt(id, result.value.draft);
  const view = await withRememberedPlace(viewOf(result.value));
  if (useConversation.getState().id !== id) return;
  useConversation.setState({ view, failure: null });
  const missed = early;
  early = [];
  applyToConversation(missed);
}

/** The view with as many older pages as it takes to stand where the transcript was left, within a limit. */
async function withRememberedPlace(opened: ConversationView): Promise<ConversationView> {
  const conversationId = opened.conversation.id;
  const place = useLayout.getState().scroll[conversationId];
  let view = opened;
  if (place === undefined || place === 'end') return view;
  for (let page = 0; page < MAX_RESTORED_PAGES && !rowKeys(view).includes(place.row); page++) {
    const first = firstTurn(view);
    if (first === undefined || view.earlierTurns === 0) break;
    const result = await call('listTurns', { conversationId, beforePosition: first.position, limit: TURN_PAGE_SIZE });
    if (!result.ok) break;
    view = withEarlier(view, result.value);
  }
  return view;
}

/** Shows a conversation whose snapshot is at hand, as after its creation. */
export function showSnapshot(snapshot: Parameters<typeof viewOf>[0]): void {
  early = [];
  healing.clear();
  useDrafts.getState().adopt(snapshot.conversation.id, snapshot.draft);
  useConversation.setState({ ...NOTHING_OPEN, id: snapshot.conversation.id, view: viewOf(snapshot) });
}

/** Applies events to the open conversation; those of others are for the list alone. */
export function applyToConversation(events: readonly BridgeEvent[]): void {
  const { id, view: before } = useConversation.getState();
  if (id === null) return;
  if (before === null) {
    for (const event of events) if (isEngineEvent(event)) early.push(event);
    return;
  }
  let view: ConversationView | null = before;
  for (const event of events) {
    if (view === null) break;
    view = applyOne(view, event);
  }
  if (view !== before) useConversation.setState(view === null ? NOTHING_OPEN : { view });
}

function isEngineEvent(event: BridgeEvent): event is EngineEvent {
  return event.name !== 'command' && event.name !== 'preferences';
}

function applyOne(view: ConversationView, event: BridgeEvent): ConversationView | null {
  const id = view.conversation.id;
  switch (event.name) {
    case 'conversation':
      return event.payload.conversation.id === id ? { ...view, conversation: event.payload.conversation } : view;
    case 'conversationRemoved':
      return event.payload.conversationId === id ? null : view;
    case 'seat':
      return event.payload.seat.conversationId === id ? withSeat(view, event.payload.seat) : view;
    case 'clock':
      return event.payload.conversationId === id ? withClock(view, event.payload.clock) : view;
    case 'turn':
      return event.payload.turn.conversationId === id ? withTurn(view, event.payload.turn) : view;
    case 'turnRemoved':
      return event.payload.conversationId === id ? withoutTurn(view, event.payload.turnId) : view;
    case 'seatEvents':
      return event.payload.conversationId === id ? applySeatEvents(view, event.payload) : view;
    case 'live':
    case 'notice':
    case 'command':
    case 'preferences':
      return view;
    default:
      return never(event);
  }
}

function applySeatEvents(
  view: ConversationView,
  { turnId, invocationId, events }: { turnId: TurnId; invocationId: InvocationId; events: readonly SeatEvent[] },
): ConversationView {
  const waiting = healing.get(invocationId);
  if (waiting !== undefined) {
    waiting.push(...events);
    return view;
  }
  const applied = withSeatEvents(view, turnId, invocationId, events);
  if (applied.gap) {
    healing.set(invocationId, [...events]);
    void heal(view.conversation.id, turnId, invocationId);
  }
  return applied.view;
}

/** Fetches an invocation that events were missed of, then applies what came meanwhile. */
async function heal(conversationId: ConversationId, turnId: TurnId, invocationId: InvocationId): Promise<void> {
  const result = await call('getInvocation', { invocationId });
  const waiting = healing.get(invocationId);
  healing.delete(invocationId);
  const { view } = useConversation.getState();
  if (waiting === undefined || view === null || view.conversation.id !== conversationId) return;
  if (!result.ok) {
    tellFailure(result.error);
    return;
  }
  const fetched = withInvocation(view, turnId, result.value.invocation);
  useConversation.setState({ view: applySeatEvents(fetched, { turnId, invocationId, events: waiting }) });
}

/** Loads the page before the first loaded turn, if there is one. */
export async function loadEarlierTurns(): Promise<void> {
  const { id, view, loadingEarlier } = useConversation.getState();
  const first = view === null ? undefined : firstTurn(view);
  if (id === null || view === null || first === undefined || view.earlierTurns === 0 || loadingEarlier) return;
  useConversation.setState({ loadingEarlier: true });
  const result = await call('listTurns', {
    conversationId: id,
    beforePosition: first.position,
    limit: TURN_PAGE_SIZE,
  });
  const current = useConversation.getState();
  if (current.id !== id || current.view === null) return;
  if (!result.ok) {
    useConversation.setState({ loadingEarlier: false });
    tellFailure(result.error);
    return;
  }
  useConversation.setState({ view: withEarlier(current.view, result.value), loadingEarlier: false });
}

/** Puts a turn that a call returned into the transcript at once; its event may come later and changes nothing. */
export function showTurn(turn: Turn): void {
  const { view } = useConversation.getState();
  if (view !== null && view.conversation.id === turn.conversationId) {
    useConversation.setState({ view: withTurn(view, turn) });
  }
}

export function useTurn(turnId: TurnId): Turn | undefined {
  return useConversation((state) => state.view?.turns[turnId]);
}

export function useInvocation(turnId: TurnId, invocationId: InvocationId): InvocationState | undefined {
  return useConversation((state) =>
    state.view?.turns[turnId]?.invocations.find((candidate) => candidate.invocationId === invocationId),
  );
}

export function useSeat(seatId: SeatId | undefined): Seat | undefined {
  return useConversation((state) => state.view?.seats.find((seat) => seat.id === seatId));
}
