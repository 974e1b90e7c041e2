import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripEscapes } from '../../../src-shared/plainText.ts';
import { PlainStream } from './plainStream.ts';

const whole = (text: string) => new PlainStream().push(text);

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mtrue\u001b[m', 'red and true'],
  ['cursor movements', 'a\u001b[2K\u001b[1Gb\u001b[?25lc', 'abc'],
  ['a title and a link', '\u001b]0;title\u0007x \u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'x link'],
  ['a character set', '\u001b(B\u001b[ma', 'a'],
  ['a bell, a backspace and a NUL', 'a\u0007\b\u0000b', 'ab'],
  ['both kinds of line ends', 'a\r\nb\rc\n', 'a\nb\nc\n'],
  ['tabs and blank lines', 'a\n\n\n\tb', 'a\n\n\n\tb'],
])('takes out %s', (_name, text, plain) => {
  expect(whole(text)).toBe(plain);
});

test('a title that is never closed takes its line and no more', () => {
  expect(whole('\u001b]0;never closed\nthe answer')).toBe('\nthe answer');
});

const PIECES = [
  '\u001b',
  '[',
  ']',
  '0;t',
  'm',
  '31',
  '\u0007',
  '\\',
  'text',
  'ü',
  '\u{1f600}',
  '\r',
  '\n',
  '\t',
  '\b',
  'P',
];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

test('wherever the pieces end, the text is the same', () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat(60), { maxLength: 8 }), (text, cuts) => {
      const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const stream = new PlainStream();
      let start = 0;
      const pieces = [...ends, text.length].map((end) => {
        const piece = stream.push(text.slice(start, end));
        start = end;
        return piece;
      });
      expect(pieces.join('')).toBe(whole(text));
    }),
  );
});

test('leaves no control character but tab and line feed, and text without them as it is', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const plain = whole(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone.
      expect(plain).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      if (stripEscapes(text) === text) expect(plain).toBe(text);
    }),
  );
});
