import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CommandDraft, commandDefinition } from '../../../src-shared/commandDefinition.ts';
import type { ReaderEvent } from '../../../src-shared/events.ts';
import { MAX_TEXT_PART_LENGTH } from '../../../src-shared/limits.ts';
import { agentById } from '../agents/index.ts';
import { ErrorTail, OutputStream } from './stream.ts';

const TRANSCRIPTS = join(import.meta.dirname, '..', 'agents', 'command', 'transcripts');

function definition(fields: Partial<CommandDraft>) {
  return commandDefinition.parse({
    id: 'cmd_sample',
    name: 'Sample',
    program: 'tool',
    arguments: '',
    prompt: 'stdin',
    environment: [],
    encoding: 'utf-8',
    resume: { kind: 'none' },
    output: 'text',
    images: true,
    timeoutMs: null,
    idleTimeoutMs: null,
    ...fields,
  });
}

/** What the pieces of an output become; each is overwritten after it was read, as a spool's buffer is. */
function read(pieces: readonly Buffer[], fields: Partial<CommandDraft> = {}) {
  const described = definition(fields);
  const events: ReaderEvent[] = [];
  const reader = agentById('command').reader({ resuming: null, definition: described, opening: null });
  const stream = new OutputStream(reader, (event) => events.push(event), described.encoding);
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    stream.push(buffer);
    buffer.fill('#');
  }
  const { stdoutTail } = stream.end();
  const texts = events.flatMap((event) => (event.type === 'text' ? [event] : []));
  return {
    events,
    text: texts.map(({ text }) => text).join(''),
    ids: new Set(texts.map(({ messageId }) => messageId)),
    stdoutTail,
  };
}

function cut(bytes: Buffer, at: number): Buffer[] {
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

describe('plain text', () => {
  test.each<[string, CommandDraft['encoding'], string]>([
    ['plain', 'utf-8', '# Heard\n\n> Good morning: {cwd} $HOME "and" more\n\nGrüße, 日本, \u{1f600}.\n'],
    ['coloured', 'utf-8', 'thinking\n10 %\n100 %\n\nDone.\n'],
    ['shift-jis', 'shift_jis', '日本語です。\n'],
    ['failed', 'utf-8', 'Half an ans'],
  ])('the recording “%s” is one message, wherever its bytes are cut', (name, encoding, text) => {
    const bytes = readFileSync(join(TRANSCRIPTS, `${name}.stdout.txt`));
    for (let at = 0; at <= bytes.length; at++) {
      const result = read(cut(bytes, at), { encoding });
      expect(result.text).toBe(text);
      expect(result.ids.size).toBe(1);
      expect(result.stdoutTail).toBe(text.trim());
    }
  });

  test.each<[CommandDraft['encoding'], string, string]>([
    ['utf-16le', 'fffe480061006c006c00f6000a003dd800de', 'Hallö\n\u{1f600}'],
    ['windows-1252', '48616c6cf60a80', 'Hallö\n€'],
    ['gbk', 'c4e3bac3', '你好'],
    ['euc-kr', 'bec8b3e7', '안녕'],
  ])('in %s is decoded, one byte at a time', (encoding, hex, text) => {
    const bytes = [...Buffer.from(hex, 'hex')].map((byte) => Buffer.of(byte));
    expect(read(bytes, { encoding }).text).toBe(text);
  });

  test('whatever the bytes are, nothing is thrown, and the pieces make the same text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (array, at) => {
        const bytes = Buffer.from(array);
        expect(read(cut(bytes, at % (bytes.length + 1))).text).toBe(read([bytes]).text);
      }),
    );
  });

  test('is passed on as it comes, not line by line', () => {
    const { events } = read([Buffer.from('tok'), Buffer.from('en by tok'), Buffer.from('en')]);
    expect(events.map((event) => (event.type === 'text' ? event.text : null))).toEqual(['tok', 'en by tok', 'en']);
  });

  test('past what a transcript keeps is no longer passed on', () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const { text } = read([megabyte, megabyte, megabyte, megabyte]);
    expect(text.length).toBeGreaterThan(MAX_TEXT_PART_LENGTH);
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT_PART_LENGTH + megabyte.length);
  });
});

test('an event stream in another encoding is decoded before it is cut into lines', () => {
  const bytes = readFileSync(join(TRANSCRIPTS, 'events.stdout.jsonl'));
  const wide = Buffer.from(bytes.toString('utf8'), 'utf16le');
  for (const at of [1, 333, 700]) {
    const { events } = read(cut(wide, at), { output: 'codex', encoding: 'utf-16le' });
    expect(events).toEqual(read([bytes], { output: 'codex' }).events);
    expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'evidence', 'text', 'usage']);
  }
});

test('standard error is decoded by the same encoding', () => {
  const tail = new ErrorTail('shift_jis');
  for (const byte of Buffer.from('93fa967b8cea', 'hex')) tail.push(Buffer.of(byte));
  expect(tail.end()).toBe('日本語');
});
