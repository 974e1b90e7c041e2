import { beforeEach, expect, test, vi } from 'vitest';
import type { BridgeEvent } from '../../src-shared/api.ts';
import { answerOf, emptyInvocationState, foldSeatEvent } from '../../src-shared/fold.ts';
import {
  conversationAt,
  deferred,
  eventsOf,
  invocationAt,
  said,
  sampleSnapshot,
  sampleTurn,
  started,
  turnAt,
} from './samples.ts';

const kept = new Map<string, string>();
const answers = new Map<string, () => Promise<unknown>>();
vi.stubGlobal('window', {
  localStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  },
  parley: {
    call: (name: string) => answers.get(name)?.() ?? Promise.resolve({ ok: true, value: {} }),
    on: () => () => {},
  },
});
const { applyToConversation, openConversation, loadEarlierTurns, useConversation } = await import('./conversation.ts');

const id = conversationAt(1);
const running = sampleTurn(1, { state: 'running' });
const all = eventsOf(1, 0, [started(1), said('one '), said('two '), said('three')]);
const seatEvents = (from: number, to: number): BridgeEvent => ({
  name: 'seatEvents',
  payload: { conversationId: id, turnId: turnAt(1), invocationId: invocationAt(1), events: all.slice(from, to) },
});

function answer(): string | null {
  const state = useConversation.getState().view?.turns[turnAt(1)]?.invocations[0];
  return state === undefined ? null : answerOf(state);
}

const ok = (value: unknown) => () => Promise.resolve({ ok: true, value });

beforeEach(async () => {
  answers.clear();
  await openConversation(null);
});

test('events that arrive before the snapshot are applied after it', async () => {
  const snapshot = deferred<unknown>();
  answers.set('openConversation', () => snapshot.promise);
  const opening = openConversation(id);
  applyToConversation([seatEvents(0, 2)]);
  applyToConversation([seatEvents(2, 4)]);
  snapshot.resolve({ ok: true, value: sampleSnapshot([running]) });
  await opening;
  expect(answer()).toBe('one two three');
});

test('a gap is closed by fetching the invocation, and what came meanwhile follows', async () => {
  answers.set('openConversation', ok(sampleSnapshot([running])));
  await openConversation(id);
  const fetched = deferred<unknown>();
  answers.set('getInvocation', () => fetched.promise);
  applyToConversation([seatEvents(0, 1)]);
  applyToConversation([seatEvents(2, 3)]);
  applyToConversation([seatEvents(3, 4)]);
  expect(answer()).toBeNull();
  const invocation = all.slice(0, 3).reduce(foldSeatEvent, emptyInvocationState(invocationAt(1)));
  fetched.resolve({ ok: true, value: { invocation } });
  await vi.waitFor(() => expect(answer()).toBe('one two three'));
});

test('a snapshot that comes after another conversation was opened is not shown', async () => {
  const slow = deferred<unknown>();
  answers.set('openConversation', () => slow.promise);
  const first = openConversation(id);
  answers.set('openConversation', ok(sampleSnapshot([])));
  await openConversation(null);
  slow.resolve({ ok: true, value: sampleSnapshot([running]) });
  await first;
  expect(useConversation.getState()).toMatchObject({ id: null, view: null });
});

test('a conversation that cannot be opened says why', async () => {
  const error = { code: 'unreadable', message: 'The record cannot be read.', hint: '' };
  answers.set('openConversation', () => Promise.resolve({ ok: false, error }));
  await openConversation(id);
  expect(useConversation.getState()).toMatchObject({ id, view: null, failure: error });
});

test('events of other conversations change nothing', async () => {
  answers.set('openConversation', ok(sampleSnapshot([running])));
  await openConversation(id);
  const { view } = useConversation.getState();
  const event = seatEvents(0, 4);
  if (event.name !== 'seatEvents') throw new Error('unreachable');
  applyToConversation([{ ...event, payload: { ...event.payload, conversationId: conversationAt(2) } }]);
  expect(useConversation.getState().view).toBe(view);
});

test('earlier turns are loaded one page at a time', async () => {
  answers.set('openConversation', ok(sampleSnapshot([sampleTurn(3)], { earlierTurns: 3 })));
  await openConversation(id);
  let asked = 0;
  const page = deferred<unknown>();
  answers.set('listTurns', () => {
    asked += 1;
    return page.promise;
  });
  const loading = [loadEarlierTurns(), loadEarlierTurns()];
  page.resolve({ ok: true, value: { turns: [sampleTurn(1), sampleTurn(2)], earlierTurns: 1 } });
  await Promise.all(loading);
  expect(asked).toBe(1);
  expect(useConversation.getState().view?.turnIds).toEqual([turnAt(1), turnAt(2), turnAt(3)]);
});

test('a transcript that was left in an older page is opened with that page', async () => {
  const { rememberScroll } = await import('./layout.ts');
  rememberScroll(id, { row: turnAt(2), offset: 0 });
  answers.set('openConversation', ok(sampleSnapshot([sampleTurn(5)], { earlierTurns: 5 })));
  const pages = [
    [sampleTurn(3), sampleTurn(4)],
    [sampleTurn(1), sampleTurn(2)],
  ];
  answers.set('listTurns', () => ok({ turns: pages.shift() ?? [], earlierTurns: pages.length * 2 + 1 })());
  await openConversation(id);
  rememberScroll(id, 'end');
  expect(useConversation.getState().view?.turnIds).toEqual([1, 2, 3, 4, 5].map(turnAt));
});

test('a deleted conversation leaves the screen', async () => {
  answers.set('openConversation', ok(sampleSnapshot([running])));
  await openConversation(id);
  applyToConversation([{ name: 'conversationRemoved', payload: { conversationId: id } }]);
  expect(useConversation.getState().id).toBeNull();
});
