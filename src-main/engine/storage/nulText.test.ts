import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from './nulText.ts';

const pieces = fc.constantFrom('\0', '\u{10FFFF}', '0', '1', 'a', 'ä', '😀');

test('every text comes back as it was, and none is stored with a NUL', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: pieces })), (text) => {
      const stored = encodeText(text);
      expect(stored).not.toContain('\0');
      expect(decodeText(stored)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
