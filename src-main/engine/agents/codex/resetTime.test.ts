import { expect, test } from 'vitest';
import { resetTime } from './resetTime.ts';

const NOON = new Date(2026, 0, 5, 12, 0).getTime();
const HOUR = 3_600_000;

test.each([
  ['in 2 hours 5 minutes', NOON + 2 * HOUR + 5 * 60_000],
  ['in 1 day 30 seconds', NOON + 24 * HOUR + 30_000],
  ['at 3:05 PM', NOON + 3 * HOUR + 5 * 60_000],
  ['at 9:00 AM', NOON + 21 * HOUR],
  ['at Jan 7th, 2026 12:00 PM', NOON + 48 * HOUR],
])('“%s” is one moment', (wording, moment) => {
  expect(resetTime(wording, NOON)).toBe(moment);
});

test.each(['later', 'at your next billing date', 'in a while', ''])('“%s” is not guessed', (wording) => {
  expect(resetTime(wording, NOON)).toBeNull();
});
