import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Clocks, type ClockTimes } from './clocks.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What expired, if anything did. */
async function expiredOf(clocks: Clocks): Promise<string | null> {
  return Promise.race([clocks.expired, Promise.resolve().then(() => null)]);
}

test('the wall clock runs out however much is printed', async () => {
  const clocks = new Clocks({ wallMs: 10_000, idleMs: 3_000 });
  for (let second = 0; second < 9; second++) {
    vi.advanceTimersByTime(1_000);
    clocks.touch();
  }
  expect(await expiredOf(clocks)).toBeNull();
  vi.advanceTimersByTime(1_000);
  expect(await expiredOf(clocks)).toBe('wall');
});

test('the idle clock runs out when nothing is printed, counted from the last byte', async () => {
  const clocks = new Clocks({ wallMs: 100_000, idleMs: 3_000 });
  vi.advanceTimersByTime(2_000);
  clocks.touch();
  vi.advanceTimersByTime(2_999);
  expect(await expiredOf(clocks)).toBeNull();
  vi.advanceTimersByTime(1);
  expect(await expiredOf(clocks)).toBe('idle');
});

test('more time is added to both', async () => {
  const clocks = new Clocks({ wallMs: 5_000, idleMs: 3_000 });
  clocks.extend(60_000);
  expect(clocks.times).toEqual({ wallEndsAt: 65_000, idleEndsAt: 63_000 });
  vi.advanceTimersByTime(62_999);
  expect(await expiredOf(clocks)).toBeNull();
  vi.advanceTimersByTime(1);
  expect(await expiredOf(clocks)).toBe('idle');
  expect(clocks.limitOf('idle')).toBe(63_000);
});

test('the idle clock stands still while something waits for the operator, the wall clock does not', async () => {
  const clocks = new Clocks({ wallMs: 20_000, idleMs: 3_000 });
  const first = clocks.hold();
  const second = clocks.hold();
  expect(clocks.times.idleEndsAt).toBeNull();
  vi.advanceTimersByTime(10_000);
  first();
  first();
  expect(clocks.times.idleEndsAt).toBeNull();
  second();
  expect(clocks.times.idleEndsAt).toBe(13_000);
  const held = clocks.hold();
  vi.advanceTimersByTime(10_000);
  held();
  expect(await expiredOf(clocks)).toBe('wall');
});

test('output is told of at most once a second, what the operator does at once', () => {
  const told: ClockTimes[] = [];
  const clocks = new Clocks({ wallMs: 60_000, idleMs: 10_000 }, (times) => told.push(times));
  vi.advanceTimersByTime(100);
  for (let byte = 0; byte < 1_000; byte++) clocks.touch();
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  for (let byte = 0; byte < 1_000; byte++) clocks.touch();
  expect(told).toHaveLength(2);
  clocks.extend(1_000);
  expect(told).toHaveLength(3);
  clocks.stop();
});

test('a stopped clock never runs out', async () => {
  const clocks = new Clocks({ wallMs: 1_000, idleMs: null });
  clocks.stop();
  clocks.extend(0);
  vi.advanceTimersByTime(10_000);
  expect(await expiredOf(clocks)).toBeNull();
});
