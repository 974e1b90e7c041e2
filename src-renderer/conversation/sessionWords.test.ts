import { expect, test } from 'vitest';
import { sampleSeat, sampleSnapshot, sampleTurn, seatAt } from '../state/samples.ts';
import { viewOf } from '../state/view.ts';
import { freshClause, freshNext, hasBegun, replayText } from './sessionWords.ts';

test('a seat that resumes, and one that has not spoken, have nothing to announce', () => {
  expect(freshNext(sampleSeat(0, { sessionId: 's', freshBecause: null }), undefined, undefined)).toBeNull();
  expect(freshNext(sampleSeat(0), undefined, undefined)).toBeNull();
});

test('a seat whose session was given up says why', () => {
  expect(freshNext(sampleSeat(0, { freshBecause: 'model-changed' }), undefined, undefined)).toContain('model');
  expect(freshNext(sampleSeat(0, { freshBecause: 'agent-changed' }), undefined, undefined)).toContain('agent');
  expect(freshNext(sampleSeat(0, { freshBecause: 'directory-changed' }), undefined, undefined)).toContain('directory');
  // Asked for while no session was there to be given up.
  expect(freshNext(sampleSeat(0, { replayNext: true }), undefined, undefined)).toContain('asked');
});

test('a seat has begun with its own first turn, not with another’s, and not with what waits', () => {
  const view = (turns: Parameters<typeof sampleSnapshot>[0]) => viewOf(sampleSnapshot(turns));
  expect(hasBegun(view([]), sampleSeat(0))).toBe(false);
  expect(hasBegun(view([sampleTurn(1, { state: 'scheduled' })]), sampleSeat(0))).toBe(false);
  expect(hasBegun(view([sampleTurn(1, { seatIds: [seatAt(1)] })]), sampleSeat(0))).toBe(false);
  expect(hasBegun(view([sampleTurn(1)]), sampleSeat(0))).toBe(true);
});

test('a first turn and a turn after ones without a session are told apart', () => {
  expect(freshClause('first-turn', false)).not.toBe(freshClause('first-turn', true));
});

test('a replay says what was left out', () => {
  expect(replayText({ turns: 1, omittedTurns: 0, bytes: 9 })).toBe('told 1 turn of the transcript');
  expect(replayText({ turns: 3, omittedTurns: 2, bytes: 9 })).toContain('2 older ones left out');
});
