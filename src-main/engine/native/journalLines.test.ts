import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, anyHistory, image, prompt, result, step } from './historySamples.ts';
import { encodeMark, encodeMessages, readJournal } from './journalLines.ts';

const SOUND = { skipped: 0, repaired: 0, tornTail: 'none', nulBytes: 0, unknownKinds: 0 };
const NUL = '\u0000';

const read = (...parts: (string | Uint8Array)[]) => readJournal(Buffer.concat(parts.map((part) => Buffer.from(part))));
const line = (text: string) => encodeMessages([prompt(text)]);
const texts = (contents: ReturnType<typeof readJournal>) => contents.messages.map(({ text }) => text);

test('what is written is read back, whatever is in it', () => {
  fc.assert(
    fc.property(anyHistory, (messages) => {
      const contents = readJournal(encodeMessages(messages));
      expect(contents.messages).toEqual(messages);
      expect(contents.report).toEqual(SOUND);
    }),
  );
});

test('a message is one line, whatever is in it', () => {
  fc.assert(
    fc.property(anyHistory, (messages) => {
      expect(encodeMessages(messages).toString().split('\n')).toHaveLength(messages.length + 1);
    }),
  );
});

test('cut at any byte, all whole lines are read, and the tail is told apart', () => {
  const messages = [prompt('grün 🙂', [image('ü.png')]), ...step('a', 'ä\n\u2028"\\'), answer('fertig')];
  const bytes = encodeMessages(messages);
  const ends = messages.map((_, index) => encodeMessages(messages.slice(0, index + 1)).length);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { messages: found, report } = readJournal(bytes.subarray(0, cut));
    // A line is whole with its last brace; the line feed behind it may be missing.
    const whole = ends.filter((end) => end - 1 <= cut).length;
    expect(found).toEqual(messages.slice(0, whole));
    const isAtEnd = cut === 0 || ends.includes(cut);
    const tornTail = isAtEnd ? 'none' : ends.includes(cut + 1) ? 'kept' : 'set-aside';
    expect(report).toEqual({ ...SOUND, tornTail });
  }
});

test('any bytes at all are read without an exception', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.constantFrom(line('a'), Buffer.from('\n'), Buffer.from(NUL), Buffer.from('{"v":1,"kind":"message"')),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { report } = readJournal(Buffer.concat(pieces));
      expect(report.nulBytes).toBe(Buffer.concat(pieces).filter((byte) => byte === 0).length);
    }),
  );
});

test('a damaged byte anywhere costs at most the line it is in', () => {
  const before = [prompt('before')];
  const after = [prompt('after')];
  const middle = encodeMessages([answer('the middle', [{ id: 'a', name: 'read', input: { path: 'x' } }])]);
  const byte = fc.integer({ min: 0, max: 255 }).filter((value) => value !== 0x0a);
  fc.assert(
    fc.property(fc.nat(middle.length - 2), byte, (at, value) => {
      const damaged = Buffer.from(middle);
      damaged[at] = value;
      const { messages } = read(encodeMessages(before), damaged, encodeMessages(after));
      expect(messages[0]).toEqual(before[0]);
      expect(messages.at(-1)).toEqual(after[0]);
    }),
  );
});

describe('damage', () => {
  test('a bad UTF-8 byte costs that character', () => {
    const damaged = line('a?b');
    damaged[damaged.indexOf('?')] = 0xff;
    const contents = read(line('first'), damaged, line('last'));
    expect(texts(contents)).toEqual(['first', 'a\ufffdb', 'last']);
    expect(contents.report).toEqual({ ...SOUND, repaired: 1 });
  });

  test('NUL bytes before a line, within a text, and in the place of a line feed', () => {
    const glued = Buffer.concat([line('c').subarray(0, -1), Buffer.from(NUL.repeat(3)), line('d')]);
    const contents = read(NUL.repeat(4), line('a'), line('b?b').toString().replace('?', NUL.repeat(2)), glued);
    expect(texts(contents)).toEqual(['a', 'b\ufffdb', 'c', 'd']);
    expect(contents.report).toEqual({ ...SOUND, repaired: 3, nulBytes: 9 });
  });

  test('a tail of NUL bytes, as a power cut leaves it, is set aside', () => {
    const contents = read(line('a'), NUL.repeat(512));
    expect(texts(contents)).toEqual(['a']);
    expect(contents.report).toEqual({ ...SOUND, tornTail: 'set-aside', nulBytes: 512 });
  });

  test('a line that is no JSON is skipped, and a blank one is none', () => {
    const contents = read(line('a'), 'oops\n', '\n', '  \r\n', '[1]\n', line('b'));
    expect(texts(contents)).toEqual(['a', 'b']);
    expect(contents.report).toEqual({ ...SOUND, skipped: 2 });
    expect(contents.kept).toEqual([]);
  });
});

describe('what is not ours', () => {
  const foreign = [
    '{"v":1,"kind":"note","text":"x"}',
    '{"v":2,"kind":"message","message":{"role":"user","text":"from later"}}',
    '{"v":1,"kind":"message","message":{"role":"judge","text":"x"}}',
    '{"User":{"content":"x"}}',
  ];

  test('lines of another kind, version or role are counted and kept as they are', () => {
    const contents = read(...foreign.map((text) => `${text}\n`), line('a'));
    expect(texts(contents)).toEqual(['a']);
    expect(contents.report).toEqual({ ...SOUND, unknownKinds: 4 });
    expect(contents.kept.map(String)).toEqual(foreign);
  });

  test('a message that is not what it says is skipped, and kept too', () => {
    const broken = '{"v":1,"kind":"message","message":{"role":"tool","callId":"a","status":"exploded","text":""}}';
    const contents = read(`${broken}\n`);
    expect(contents.report).toEqual({ ...SOUND, skipped: 1 });
    expect(contents.kept.map(String)).toEqual([broken]);
  });

  test('what an earlier version left out has its default', () => {
    const contents = read('{"v":1,"kind":"message","message":{"role":"assistant","text":"a","usage":{}}}\n');
    const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
    expect(contents.messages).toEqual([{ ...answer('a'), usage }]);
  });
});

test('a rewrite is marked at the start of the file and nowhere else', () => {
  const mark = { bodyBytes: line('a').length, backup: { bytes: 1, sha256: 'x' } };
  expect(read(encodeMark(mark), line('a')).rewrite).toEqual({ mark, bodyStart: encodeMark(mark).length });
  expect(read(line('a'), encodeMark(mark)).rewrite).toBeNull();
  expect(read(line('a'), encodeMark(mark)).report).toEqual(SOUND);
  expect(texts(read(encodeMark(mark), encodeMessages([result('x', 'b')])))).toEqual(['b']);
});
