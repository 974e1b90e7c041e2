import { expect, test } from 'vitest';
import { sampleSeat } from '../state/samples.ts';
import { blindText } from './blindSeats.ts';

test('who will not see which image is said, and nothing when all will or there is none', () => {
  const both = [sampleSeat(0), sampleSeat(1)];
  expect(blindText([], ['a.png'])).toBeNull();
  expect(blindText(both, [])).toBeNull();
  expect(blindText(both, ['a.png', 'b.png'])).toBe(
    'Seat 0 and Seat 1 cannot take images and will not see a.png and b.png.',
  );
  expect(blindText([sampleSeat(0)], ['a', 'b', 'c', 'd'])).toContain('any of the 4 images');
});
