import { expect, test } from 'vitest';
import { foldedLength, MAX_EDITED_LENGTH } from './draftFold.ts';

const long = 'x'.repeat(MAX_EDITED_LENGTH + 1);

test('a draft that the text box can bear is edited whole', () => {
  expect(foldedLength('', 0)).toBe(0);
  expect(foldedLength('x'.repeat(MAX_EDITED_LENGTH), 0)).toBe(0);
});

test('a long draft is kept out of the text box, and what is typed after it is not', () => {
  expect(foldedLength(long, 0)).toBe(long.length);
  expect(foldedLength(`${long}, then typed`, long.length)).toBe(long.length);
});

test('what was kept out of a draft that was sent is forgotten with it', () => {
  expect(foldedLength('', long.length)).toBe(0);
  expect(foldedLength('a new one', long.length)).toBe(0);
});
