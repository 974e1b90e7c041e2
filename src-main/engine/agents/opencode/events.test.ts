import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readerEvent } from '../../../../src-shared/events.ts';
import { answerIn, evidenceOf, linesOf, only, type Read, readLines, readRecording } from '../recordings.ts';
import { OpenCodeReader } from './events.ts';

function read(name: string): Read {
  const recording = readRecording('opencode', name);
  return readLines(new OpenCodeReader(recording.resuming), linesOf(recording.stdout));
}

const SESSION = 'ses_1';
let parts = 0;
const event = (type: string, part: object) => ({ type, sessionID: SESSION, part: { id: `prt_${++parts}`, ...part } });
const finish = (reason: string, fields: object = {}) => event('step_finish', { reason, ...fields });
const tool = (name: string, state: object) => event('tool_use', { tool: name, callID: 'c', state });
const bash = (state: object) => tool('bash', { input: { command: 'make' }, ...state });

function readEvents(resuming: string | null, ...events: unknown[]): Read {
  return readLines(
    new OpenCodeReader(resuming),
    events.map((each) => JSON.stringify(each)),
  );
}

describe('recorded transcripts', () => {
  test('the text is the answer, and the thinking is not', () => {
    const { events, report } = read('plain');
    expect(answerIn(events)).toBe('Good morning. What shall we do?');
    expect(only(events, 'thinking').map(({ text }) => text)).toEqual(['The operator greets.']);
    expect(report).toEqual({ finished: true, error: null });
  });

  test('what was cached counts as read, and every step counts', () => {
    expect(only(read('plain').events, 'usage')).toEqual([
      {
        type: 'usage',
        usage: { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34, costUsd: expect.closeTo(0.00357, 6) },
      },
    ]);
    const last = only(read('commands').events, 'usage').at(-1)?.usage;
    expect(last).toMatchObject({ inputTokens: 5 * 1200, cachedInputTokens: 5 * 200, outputTokens: 5 * 34 });
    expect(last?.costUsd).toBeCloseTo(5 * 0.00357, 6);
  });

  test('each finished command is one row of evidence; of one that ran out of time no code was reported', () => {
    const rows = evidenceOf(read('commands').events);
    // The first two ran side by side, and either may be over first.
    expect(
      rows
        .slice(0, 2)
        .map(({ description, exitCode }) => `${description}: ${exitCode}`)
        .sort(),
    ).toEqual(['echo one; echo two >&2: 0', 'exit 4: 4']);
    expect(rows.slice(2)).toMatchObject([
      { description: expect.stringContaining('exit 3'), exitCode: 3 },
      { description: 'seq 1 1000', exitCode: 0 },
      { description: 'sleep 9', exitCode: null },
    ]);
    expect(rows.find(({ exitCode }) => exitCode === 3)?.resultSummary).toBe('red äöü 😀\n');
    for (const { source } of rows) expect(source).toBe('opencode');
  });

  test('a command that was running when the process ended is no evidence', () => {
    expect(evidenceOf(read('killed').events).map(({ description }) => description)).toEqual(['echo done']);
  });

  test('what a read-only seat may not do is denied, each call once, without a result', () => {
    const { events } = read('read-only-refused');
    expect(only(events, 'denied').map(({ what, reason }) => [what, reason])).toEqual([
      ['tool bash', 'The seat’s rules take this tool away.'],
      ['tool write', 'The seat’s rules take this tool away.'],
      ['read file /etc/hostname', 'A permission rule forbids it.'],
    ]);
    const denied = new Set(only(events, 'denied').map(({ callId }) => callId));
    expect(only(events, 'tool-result').filter(({ callId }) => denied.has(callId))).toEqual([]);
    // A call with arguments that do not fit failed; nobody refused it.
    expect(only(events, 'tool-result').map(({ status }) => status)).toEqual(['failed']);
    expect(answerIn(events)).toBe('I may not write here.');
  });

  test('a file that was read is named by its whole path', () => {
    expect(only(read('file-changes').events, 'opened')).toEqual([{ type: 'opened', path: '/work-tree/cwd/new.txt' }]);
  });

  test('the session that was asked for is a resumed one, and another one is said', () => {
    expect(only(read('plain').events, 'session')).toMatchObject([{ how: 'fresh' }]);
    const resumed = read('resumed').events;
    expect(only(resumed, 'session')).toMatchObject([{ how: 'resumed' }]);
    expect(only(resumed, 'notice')).toEqual([]);
    const other = readEvents('ses_asked', event('step_start', {})).events;
    expect(only(other, 'session')).toMatchObject([{ sessionId: SESSION, how: 'fresh' }]);
    expect(only(other, 'notice')).toHaveLength(1);
  });
});

describe('what the recordings do not show', () => {
  test('an id that could be an option is not used', () => {
    const { events } = readEvents(null, { type: 'step_start', sessionID: '--auto', part: {} });
    expect(events).toMatchObject([{ type: 'notice', level: 'warning' }]);
  });

  test('tools may be over in any order, and what is said twice counts once', () => {
    const a = event('tool_use', {
      tool: 'bash',
      callID: 'a',
      state: { status: 'completed', input: { command: 'one' } },
    });
    const b = event('tool_use', {
      tool: 'bash',
      callID: 'b',
      state: { status: 'completed', input: { command: 'two' } },
    });
    const ids = (...events: unknown[]) => evidenceOf(readEvents(null, ...events).events).map(({ id }) => id);
    expect(ids(b, a, b)).toEqual(['b', 'a']);
    expect(ids(a, a, b)).toEqual(['a', 'b']);
  });

  test.each([
    ['aborted', { status: 'error', error: 'Tool execution aborted', metadata: { exit: 0 } }],
    ['running', { status: 'running' }],
  ])('a command that was %s is no evidence', (_how, state) => {
    const { events } = readEvents(null, bash(state));
    expect(evidenceOf(events)).toEqual([]);
    expect(only(events, 'tool-result')).toHaveLength(1);
  });

  test.each([['3'], [1.5], [null]])('an exit code of %j is none', (exit) => {
    const { events } = readEvents(null, bash({ status: 'completed', output: '', metadata: { exit } }));
    expect(evidenceOf(events)).toMatchObject([{ exitCode: null }]);
    expect(only(events, 'tool-result')).toMatchObject([{ status: 'unknown', exitCode: null }]);
  });

  test('a question that nobody could answer is why a turn ended without an answer', () => {
    const error = 'The user rejected permission to use this specific tool call.';
    const refused = tool('webfetch', { status: 'error', input: { url: 'https://x' }, error });
    const { events, report } = readEvents(null, refused, finish('tool-calls'));
    expect(only(events, 'denied')).toMatchObject([{ what: 'web fetch https://x', callId: 'c' }]);
    expect(report).toEqual({ finished: false, error: `${error.slice(0, -1)}: web fetch https://x` });
    expect(readEvents(null, refused, finish('tool-calls'), finish('stop')).report).toEqual({
      finished: true,
      error: null,
    });
  });

  test('an error that the turn survived is told as it was', () => {
    const error = {
      type: 'error',
      sessionID: SESSION,
      error: { name: 'APIError', data: { message: 'busy', statusCode: 503 } },
    };
    const { events, report } = readEvents(null, error, finish('stop'));
    expect(only(events, 'notice')).toEqual([{ type: 'notice', level: 'warning', text: 'busy (APIError, HTTP 503)' }]);
    expect(report).toEqual({ finished: true, error: null });
    expect(readEvents(null, finish('stop'), error).report.error).toBe('busy (APIError, HTTP 503)');
  });

  test('an answer that was cut off is said to be', () => {
    expect(only(readEvents(null, finish('length')).events, 'notice')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('cut off') },
    ]);
  });

  test('tokens that were not reported are not made up', () => {
    expect(only(readEvents(null, finish('stop')).events, 'usage')[0]?.usage).toEqual({
      inputTokens: null,
      cachedInputTokens: null,
      outputTokens: null,
      costUsd: null,
    });
  });

  test('whatever the JSON is, there are events of the contract and one report', () => {
    const types = ['step_start', 'text', 'reasoning', 'tool_use', 'step_finish', 'error'];
    const any = fc.record({
      type: fc.constantFrom(...types),
      sessionID: fc.jsonValue(),
      part: fc.jsonValue(),
      error: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(any, fc.jsonValue())), (events) => {
        const result = readEvents(null, ...events);
        for (const each of result.events) expect(readerEvent.parse(each)).toEqual(each);
      }),
    );
  });
});
