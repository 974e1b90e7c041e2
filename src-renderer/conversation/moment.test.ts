import { expect, test } from 'vitest';
import { momentText } from './moment.ts';

const at = (day: number, hour: number, minute = 5) => new Date(2026, 2, day, hour, minute).getTime();
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

test('a moment to come is told in local time, with its day when that is not today', () => {
  const now = at(20, 9);
  const time = clock.format(at(20, 15));
  expect(momentText(at(20, 15), now)).toBe(`at ${time}`);
  expect(momentText(at(21, 15), now)).toBe(`tomorrow at ${time}`);
  expect(momentText(at(23, 15), now)).toBe(`on Monday at ${time}`);
  expect(momentText(at(31, 15), now)).toContain('2026');
});
