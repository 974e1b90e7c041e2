import { expect, test } from 'vitest';
import { followsAfterScroll } from './following.ts';

const LONG_AGO = Number.POSITIVE_INFINITY;
const at = (top: number, height = 10_000) => ({ top, height, viewport: 700 });

test('at its end a transcript follows it, whoever brought it there', () => {
  expect(followsAfterScroll(false, at(9_300), at(0), LONG_AGO)).toBe(true);
  expect(followsAfterScroll(false, at(9_290), at(9_400), 0)).toBe(true);
});

test('going up by hand is a wish to stay', () => {
  expect(followsAfterScroll(true, at(9_000), at(9_300), 10)).toBe(false);
});

test('growth below, and small corrections of what was estimated, are not', () => {
  expect(followsAfterScroll(true, at(9_000), at(9_000), 10)).toBe(true);
  expect(followsAfterScroll(true, at(9_000), at(9_300), LONG_AGO)).toBe(true);
});

test('a large correction changes the height, and is no wish either', () => {
  expect(followsAfterScroll(true, at(7_500, 8_900), at(9_300), LONG_AGO)).toBe(true);
});

test('a jump of more than a page is a wish, even when no key or wheel was heard', () => {
  expect(followsAfterScroll(true, at(100), at(9_300), LONG_AGO)).toBe(false);
});

test('what does not follow begins to only at the end', () => {
  expect(followsAfterScroll(false, at(5_000), at(4_000), 10)).toBe(false);
});
