import { expect, test } from 'vitest';
import { whenText } from './When.tsx';

const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();

test('a moment is told as roughly as its distance allows', () => {
  const now = at(20, 1);
  expect(whenText(at(19, 23), now)).toBe('Yesterday');
  expect(whenText(at(20, 0), now)).toMatch(/\d\d/);
  expect(whenText(at(15, 12), now)).toBe(new Intl.DateTimeFormat(undefined, { weekday: 'long' }).format(at(15, 12)));
  expect(whenText(at(1, 12), now)).toContain('2026');
});
