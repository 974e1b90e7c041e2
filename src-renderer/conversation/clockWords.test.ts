import { expect, test } from 'vitest';
import { invocationAt } from '../state/samples.ts';
import { firstLimitText, leftText, roughDuration, type SeatClock } from './clockWords.ts';

const MINUTE_MS = 60_000;
const clockOf = (name: string, wall: number, idle: number | null, hasIdleLimit = true): SeatClock => ({
  name,
  hasIdleLimit,
  clock: { invocationId: invocationAt(1), wallEndsAt: wall * MINUTE_MS, idleEndsAt: idle && idle * MINUTE_MS },
});

test('what is left is never told as more than it is', () => {
  expect(roughDuration(59_999)).toBe('59 s');
  expect(roughDuration(-5)).toBe('0 s');
  expect(roughDuration(60 * MINUTE_MS - 1)).toBe('59 min');
  expect(roughDuration(60 * MINUTE_MS)).toBe('1 h');
  expect(roughDuration(125 * MINUTE_MS)).toBe('2 h 5 min');
});

test('both clocks of one seat are told, and an idle clock that stands still', () => {
  expect(leftText(clockOf('Codex', 59, 28), 0)).toBe('59 min left · idle limit in 28 min');
  expect(leftText(clockOf('Codex', 59, null), 0)).toBe('59 min left · idle clock stands still');
  expect(leftText(clockOf('Codex', 59, null, false), 0)).toBe('59 min left');
});

test('of several seats the limit that comes first is told, with whose it is', () => {
  expect(firstLimitText([], 0)).toBe('');
  expect(firstLimitText([clockOf('A', 59, 28), clockOf('B', 40, 12)], 0)).toBe('first limit: B, idle, in 12 min');
  expect(firstLimitText([clockOf('A', 5, 28), clockOf('B', 40, null)], 0)).toBe('first limit: A, time, in 5 min');
});
