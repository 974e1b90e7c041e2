import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripEscapes } from '../../../src-shared/plainText.ts';
import { joinPaths, LineCutter, TailKeeper } from './index.ts';
import { parseStat } from './processTable.ts';

function cut(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const lines: string[] = [];
  let overlong = 0;
  const cutter = new LineCutter(
    maxBytes,
    (line) => lines.push(line),
    () => overlong++,
  );
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    cutter.push(reused);
    reused.fill(0x21);
  }
  cutter.end();
  return { lines, overlong };
}

describe('LineCutter', () => {
  it('gives the same lines wherever the chunks are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(40)), (texts, sizes) => {
        const whole = Buffer.from(texts.join('\n'));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        chunks.push(whole.subarray(at));
        const expected = whole
          .toString('utf8')
          .split('\n')
          .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
          .filter((line) => line !== '');
        expect(cut(chunks).lines).toEqual(expected);
      }),
    );
  });

  it('skips a line over the limit, says so once, and goes on with the next', () => {
    const { lines, overlong } = cut(
      [Buffer.from('ok\n'), Buffer.alloc(60, 65), Buffer.alloc(60, 65), Buffer.from('\nnext\n')],
      100,
    );
    expect(lines).toEqual(['ok', 'next']);
    expect(overlong).toBe(1);
  });

  it('keeps what is not UTF-8 as replacement characters and loses no neighbour', () => {
    expect(cut([Buffer.from([0x61, 0xff, 0x00, 0x62, 10, 0x63])]).lines).toEqual(['a\ufffd\0b', 'c']);
  });
});

describe('TailKeeper', () => {
  it('keeps the end, whole characters only', () => {
    const keeper = new TailKeeper(7);
    for (const byte of Buffer.from('0123ääää')) keeper.push(Buffer.from([byte]));
    expect(keeper.text()).toBe('äää');
  });
});

describe('stripEscapes', () => {
  it('leaves the text of what was meant for a terminal', () => {
    expect(
      stripEscapes('\u001b[1;31mred\u001b[0m \u001b]52;c;aGk=\u0007x\u001b]8;;http://a\u001b\\link\u0000\r\nend'),
    ).toBe('red xlink\nend');
  });
});

describe('joinPaths', () => {
  it('searches each absolute directory once, in order', () => {
    expect(joinPaths('/a:/b::.', null, '/b:/c')).toBe('/a:/b:/c');
  });
});

describe('parseStat', () => {
  it('reads a name with blanks and parentheses', () => {
    const stat = `42 (a) b (c) S 7 42 41 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 123456 0 0`;
    expect(parseStat(stat)).toEqual({
      pid: 42,
      ppid: 7,
      session: 41,
      started: '123456',
      name: 'a) b (c',
      zombie: false,
    });
  });
});
