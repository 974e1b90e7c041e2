import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INDEX_LINES, MAX_KEPT_BLOCKS, MAX_SCROLL_HEIGHT, MAX_SHOWN_LINE_BYTES, SCAN_BYTES } from '../limits.ts';
import { type ByteSource, memorySource } from '../source.ts';
import { FileDocument } from './fileDocument.ts';
import { findMatch, needleOf } from './finder.ts';
import { LineIndex } from './lineIndex.ts';
import { clip, decodeMarked, looksLikeText } from './marks.ts';
import { placeOf, scrolledTo } from './scroll.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const shown = (segments: readonly { text: string; isMark: boolean }[]) =>
  segments.map(({ text, isMark }) => (isMark ? `[${text}]` : text)).join('');

async function linesOf(document: FileDocument, numbers: readonly number[]): Promise<(string | undefined)[]> {
  for (const number of numbers) document.line(number);
  await document.fetch();
  return numbers.map((number) => {
    const line = document.line(number);
    return line === undefined ? undefined : shown(line.segments) + (line.folded > 0 ? ` +${line.folded}` : '');
  });
}

describe('LineIndex', () => {
  it('finds the block of every line and byte, however the bytes were cut', () => {
    const text = fc.array(fc.string({ maxLength: 3 }), { maxLength: 700 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (whole, step) => {
        const bytes = bytesOf(whole);
        const index = new LineIndex();
        for (let at = 0; at < bytes.byteLength; at += step) index.add(bytes.subarray(at, at + step));
        const lines = whole === '' ? [] : whole.replace(/\n$/, '').split('\n');
        expect(index.lineCount).toBe(lines.length);
        for (let line = 0; line < lines.length; line += 97) {
          const block = index.blockOfLine(line);
          const content = new TextDecoder().decode(bytes.subarray(block.start, block.end));
          expect(content.split('\n')[line - block.firstLine]).toBe(lines[line]);
          expect(index.blockOfOffset(block.start).index).toBe(block.index);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('decodeMarked', () => {
  it('shows every byte: as text where it is text, else as a mark', () => {
    expect(shown(decodeMarked(bytesOf('plain \u{1f600} ü\tx')))).toBe('plain \u{1f600} ü\tx');
    expect(shown(decodeMarked(Uint8Array.of(0x61, 0, 0x62, 0xff, 0xc3, 0x28)))).toBe('a[\\x00]b[\\xff\\xc3](');
    expect(shown(decodeMarked(bytesOf('\u001b[31mred\r')))).toBe('[\\x1b]\u005b31mred[\\r]');
  });

  it('marks what would reorder or hide the rest of a line', () => {
    expect(shown(decodeMarked(bytesOf('if \u202e admin \u200b')))).toBe('if [U+202E] admin [U+200B]');
  });

  it('never throws and keeps what is readable', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const segments = decodeMarked(bytes);
        expect(segments.length).toBeLessThanOrEqual(bytes.length);
        expect(bytes.length === 0).toBe(segments.length === 0);
      }),
    );
  });

  it('does not clip within a character', () => {
    for (let limit = 1; limit < 9; limit++) {
      expect(shown(decodeMarked(clip(bytesOf('a\u{1f600}üb'), limit)))).not.toContain('[');
    }
  });

  it('tells text from other bytes', () => {
    expect(looksLikeText(bytesOf('{"a": 1}\n\u001b[0m'))).toBe(true);
    expect(looksLikeText(bytesOf(''))).toBe(true);
    expect(looksLikeText(bytesOf('ä'.repeat(100)).subarray(0, 99))).toBe(true);
    expect(looksLikeText(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1))).toBe(false);
    expect(looksLikeText(Uint8Array.from({ length: 200 }, (_, index) => 128 + (index % 64)))).toBe(false);
  });
});

describe('findMatch', () => {
  const signal = new AbortController().signal;
  const find = async (text: string, needle: string, from: number, direction: 'next' | 'previous') => {
    const bytes = bytesOf(text);
    const found = await findMatch(memorySource(bytes), bytes.length, needleOf(needle), from, direction, signal);
    return found.ok ? found.value : found.error;
  };

  it('finds what a plain search finds, onwards and backwards, and goes round', () => {
    const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength });
    return fc.assert(
      fc.asyncProperty(letters(40), letters(3), fc.nat(40), async (text, needle, place) => {
        fc.pre(needle !== '');
        const from = Math.min(place, text.length);
        const [low, small] = [text.toLowerCase(), needle.toLowerCase()];
        const next = low.indexOf(small, from) !== -1 ? low.indexOf(small, from) : low.indexOf(small);
        expect(await find(text, needle, from, 'next')).toBe(next === -1 ? null : next);
        const before = from === 0 ? -1 : low.lastIndexOf(small, from - 1);
        const previous = before !== -1 ? before : low.lastIndexOf(small);
        expect(await find(text, needle, from, 'previous')).toBe(previous === -1 ? null : previous);
      }),
      { numRuns: 500 },
    );
  });

  it('finds a match that lies across two reads', async () => {
    const text = `${'x'.repeat(SCAN_BYTES - 2)}needle${'x'.repeat(SCAN_BYTES)}`;
    expect(await find(text, 'NEEDLE', 0, 'next')).toBe(SCAN_BYTES - 2);
    expect(await find(text, 'needle', text.length, 'previous')).toBe(SCAN_BYTES - 2);
  });
});

describe('FileDocument', () => {
  it('reads lines where they are asked for, and folds long ones', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    lines[4_321] = 'y'.repeat(3_000_000);
    const document = new FileDocument(memorySource(bytesOf(`${lines.join('\n')}\n`)));
    await document.refresh();
    expect(document.read().lineCount).toBe(5_000);
    expect(await linesOf(document, [0, 4_321, 4_322, 4_999])).toEqual([
      'line 0',
      `${'y'.repeat(MAX_SHOWN_LINE_BYTES)} +${3_000_000 - MAX_SHOWN_LINE_BYTES}`,
      'line 4322',
      'line 4999',
    ]);
    const opened = await document.openLine(4_321);
    expect(opened?.folded).toBe(true);
    expect(shown((await document.openLine(4_322))?.segments ?? [])).toBe('line 4322');
  });

  it('shows what is added to the file while it is open, also to its last line', async () => {
    let bytes = bytesOf('one\ntw');
    const document = new FileDocument({ read: (offset, length) => memorySource(bytes).read(offset, length) });
    await document.refresh();
    expect(await linesOf(document, [0, 1])).toEqual(['one', 'tw']);
    bytes = bytesOf('one\ntwo\nthree');
    await document.refresh();
    expect(document.read().lineCount).toBe(3);
    expect(await linesOf(document, [1, 2])).toEqual(['two', 'three']);
  });

  it('begins anew when the file has become shorter', async () => {
    let bytes = bytesOf('one\ntwo\nthree\n');
    const document = new FileDocument({ read: (offset, length) => memorySource(bytes).read(offset, length) });
    await document.refresh();
    bytes = bytesOf('new\n');
    await document.refresh();
    expect(document.read().lineCount).toBe(1);
    expect(await linesOf(document, [0])).toEqual(['new']);
  });

  it('needs bounded memory for a file that is read from end to end', async () => {
    const text = 'some words of one line\n'.repeat(INDEX_LINES * MAX_KEPT_BLOCKS * 3);
    const source = memorySource(bytesOf(text));
    let reads = 0;
    const counting: ByteSource = {
      read(offset, length) {
        reads += 1;
        return source.read(offset, length);
      },
    };
    const document = new FileDocument(counting);
    await document.refresh();
    const { lineCount } = document.read();
    for (let line = 0; line < lineCount; line += INDEX_LINES) await linesOf(document, [line]);
    const before = reads;
    await linesOf(document, [lineCount - 1]);
    expect(reads).toBe(before);
    await linesOf(document, [0]);
    expect(reads).toBe(before + 1);
  });

  it('finds text, says on which line, and reports a file that is gone', async () => {
    const document = new FileDocument(memorySource(bytesOf('alpha\nbeta\ngamma beta\n')));
    const signal = new AbortController().signal;
    expect(await document.find('BETA', 0, 'next', signal)).toEqual({ offset: 6, line: 1 });
    expect(await document.find('beta', 7, 'next', signal)).toEqual({ offset: 17, line: 2 });
    expect(await document.find('nothing', 0, 'next', signal)).toBeNull();
    const gone = new FileDocument({
      read: async () => ({ ok: false, error: { code: 'no-artifact', message: 'gone', hint: '' } }),
    });
    await gone.refresh();
    expect(gone.read().failure?.message).toBe('gone');
  });
});

describe('scrolling', () => {
  const short = { rows: 1_000, rowHeight: 20, viewport: 400 };
  const long = { rows: 10_000_000, rowHeight: 20, viewport: 400 };

  it('is exact in a list that the browser can lay out', () => {
    expect(placeOf(500, short)).toEqual({ row: 500, scrollTop: 10_000 });
    expect(scrolledTo(10_010, placeOf(500, short), short).row).toBeCloseTo(500.5);
    expect(placeOf(2_000, short).row).toBe(980);
    expect(placeOf(5, { ...short, rows: 3 })).toEqual({ row: 0, scrollTop: 0 });
  });

  it('moves by rows with the wheel, and by proportion with the scroll bar, in one that it cannot', () => {
    const start = placeOf(5_000_000, long);
    expect(scrolledTo(start.scrollTop + 40, start, long).row).toBeCloseTo(5_000_002);
    expect(scrolledTo(MAX_SCROLL_HEIGHT - 400, start, long).row).toBeCloseTo(long.rows - 20);
    expect(scrolledTo(0, start, long).row).toBe(0);
  });
});
