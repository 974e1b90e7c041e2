import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneLine, plainTail, stripEscapes } from './plainText.ts';

/** Whether the text survives UTF-8, so has no half of a surrogate pair in it. */
function isWellFormed(text: string): boolean {
  return new TextDecoder().decode(new TextEncoder().encode(text)) === text;
}

describe('the end of a text', () => {
  test('is whole when it fits', () => {
    expect(plainTail('one\ntwo\n', 100)).toBe('one\ntwo\n');
  });

  test('never holds more bytes than allowed, never half a character, and is always the end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, limit) => {
        const tail = plainTail(text, limit);
        const bytes = new TextEncoder().encode(tail).length;
        expect(bytes).toBeLessThanOrEqual(limit);
        expect(stripEscapes(text).endsWith(tail)).toBe(true);
        expect(isWellFormed(tail)).toBe(true);
        const before = [...stripEscapes(text).slice(0, -tail.length || undefined)].at(-1);
        if (before !== undefined) expect(bytes + new TextEncoder().encode(before).length).toBeGreaterThan(limit);
      }),
    );
  });

  test('does not count what colours a terminal', () => {
    expect(plainTail('\u001b[31mred\u001b[0m and \u001b]52;c;AAAA\u0007blue', 12)).toBe('red and blue');
  });
});

describe('one line', () => {
  test('has no line breaks, no escapes and no half characters', () => {
    expect(oneLine('echo a\n\n  echo \u001b[1mb', 40)).toBe('echo a echo b');
    expect(oneLine('😀😀😀', 4)).toBe('😀…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 20 }), (text, limit) => {
        const line = oneLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(['\n', '\r', '\u001b'].filter((character) => line.includes(character))).toEqual([]);
        expect(isWellFormed(line)).toBe(true);
      }),
    );
  });
});
