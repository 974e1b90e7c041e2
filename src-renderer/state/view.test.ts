import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, emptyInvocationState, foldSeatEvent } from '../../src-shared/fold.ts';
import { eventsOf, invocationAt, said, sampleSnapshot, sampleTurn, started, turnAt } from './samples.ts';
import { type ConversationView, viewOf, withEarlier, withoutTurn, withSeatEvents, withTurn } from './view.ts';

const running = sampleTurn(1, { state: 'running' });
const opened = viewOf(sampleSnapshot([running]));
const all = eventsOf(1, 0, [started(1), said('one '), said('two '), said('three')]);

function invocationOf(view: ConversationView) {
  return view.turns[turnAt(1)]?.invocations.find((state) => state.invocationId === invocationAt(1));
}

function textOf(view: ConversationView): string | null {
  const state = invocationOf(view);
  return state === undefined ? null : answerOf(state);
}

describe('events after a snapshot', () => {
  test('that overlap with it are applied once', () => {
    const first = withSeatEvents(opened, turnAt(1), invocationAt(1), all.slice(0, 3)).view;
    const second = withSeatEvents(first, turnAt(1), invocationAt(1), all.slice(1));
    expect(second.gap).toBe(false);
    expect(textOf(second.view)).toBe('one two three');
  });

  test('that leave a gap change nothing, and say so', () => {
    const first = withSeatEvents(opened, turnAt(1), invocationAt(1), all.slice(0, 2)).view;
    const second = withSeatEvents(first, turnAt(1), invocationAt(1), all.slice(3));
    expect(second).toEqual({ view: first, gap: true });
  });

  test('of an invocation that no turn event has announced yet are taken from their beginning', () => {
    const bare = viewOf(sampleSnapshot([{ ...running, invocations: [] }]));
    const { view, gap } = withSeatEvents(bare, turnAt(1), invocationAt(1), all);
    expect(gap).toBe(false);
    expect(textOf(view)).toBe('one two three');
  });

  test('of a turn that is not loaded change nothing', () => {
    expect(withSeatEvents(opened, turnAt(9), invocationAt(9), all)).toEqual({ view: opened, gap: false });
  });

  test('give the same text however they are cut and repeated', () => {
    const whole = all.reduce(foldSeatEvent, emptyInvocationState(invocationAt(1)));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 })), { maxLength: 12 }), (cuts) => {
        let view = opened;
        for (const [from, length] of [...cuts, [0, 4] as const]) {
          view = withSeatEvents(view, turnAt(1), invocationAt(1), all.slice(from, from + length)).view;
        }
        expect(invocationOf(view)).toEqual(whole);
      }),
    );
  });
});

describe('a turn that is told anew', () => {
  test('never goes back: an event older than the snapshot does not reopen it', () => {
    const ended = viewOf(sampleSnapshot([sampleTurn(1, { state: 'ended' })]));
    expect(withTurn(ended, running).turns[turnAt(1)]?.state).toBe('ended');
  });

  test('keeps what events have already added to its invocations', () => {
    const streamed = withSeatEvents(opened, turnAt(1), invocationAt(1), all).view;
    expect(textOf(withTurn(streamed, { ...running, state: 'ended' }))).toBe('one two three');
  });

  test('moves to its new place in the queue', () => {
    const queued = viewOf(
      sampleSnapshot([running, sampleTurn(2, { state: 'queued' }), sampleTurn(3, { state: 'queued' })]),
    );
    const moved = withTurn(queued, sampleTurn(2, { state: 'queued', position: 4 }));
    expect(moved.turnIds).toEqual([turnAt(1), turnAt(3), turnAt(2)]);
  });

  test('stays unloaded when it lies before the loaded ones', () => {
    const later = viewOf(sampleSnapshot([sampleTurn(50)], { earlierTurns: 50 }));
    expect(withTurn(later, sampleTurn(3))).toBe(later);
  });

  test('leaves every other turn the same object, so that only its article is drawn again', () => {
    const two = viewOf(sampleSnapshot([sampleTurn(0), running]));
    const streamed = withSeatEvents(two, turnAt(1), invocationAt(1), all).view;
    expect(streamed.turns[turnAt(0)]).toBe(two.turns[turnAt(0)]);
    expect(streamed.turnIds).toBe(two.turnIds);
  });
});

test('an older page stands before what is loaded', () => {
  const later = viewOf(sampleSnapshot([sampleTurn(3)], { earlierTurns: 3 }));
  const more = withEarlier(later, { turns: [sampleTurn(1), sampleTurn(2)], earlierTurns: 1 });
  expect(more.turnIds).toEqual([turnAt(1), turnAt(2), turnAt(3)]);
  expect(more.earlierTurns).toBe(1);
});

test('a removed turn is gone', () => {
  const view = withoutTurn(viewOf(sampleSnapshot([sampleTurn(1), sampleTurn(2)])), turnAt(1));
  expect(view.turnIds).toEqual([turnAt(2)]);
  expect(view.turns[turnAt(1)]).toBeUndefined();
});
