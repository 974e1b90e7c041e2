import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readerEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { answerIn, evidenceOf, linesOf, only, type Read, readLines, readRecording } from '../recordings.ts';
import { GeminiReader } from './events.ts';

function read(name: string): Read {
  const recording = readRecording('gemini', name);
  return readLines(new GeminiReader(recording.resuming), linesOf(recording.stdout));
}

function readEvents(...events: unknown[]): Read {
  return readLines(
    new GeminiReader(null),
    events.map((event) => JSON.stringify(event)),
  );
}

const said = (content: string, more: object = { delta: true }) => ({
  type: 'message',
  role: 'assistant',
  content,
  ...more,
});
const shell = (parameters: object) => ({ type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'c', parameters });
const result = (fields: object) => ({ type: 'tool_result', tool_id: 'c', ...fields });

describe('recorded transcripts', () => {
  test('pieces make one message, and the tokens are read', () => {
    const { events, report } = read('plain');
    expect(only(events, 'text').map(({ text }) => text)).toEqual(['Good ', 'morning. ', 'What shall we do?']);
    expect(answerIn(events)).toBe('Good morning. What shall we do?');
    expect(only(events, 'usage')).toEqual([
      { type: 'usage', usage: { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34, costUsd: null } },
    ]);
    expect(report).toEqual({ finished: true, error: null });
  });

  test('a message before a command does not become part of the answer', () => {
    const { events } = read('commands');
    expect(answerIn(events)).toBe('One command failed.');
    expect(new Set(only(events, 'text').map(({ messageId }) => messageId)).size).toBe(2);
  });

  test('each finished command is one row of evidence, without the exit code that it does not report', () => {
    const rows = evidenceOf(read('commands').events);
    expect(rows.map(({ description, exitCode, source }) => ({ description, exitCode, source }))).toEqual([
      { description: 'echo one; echo two >&2', exitCode: null, source: 'gemini' },
      { description: 'exit 4', exitCode: null, source: 'gemini' },
      { description: expect.stringContaining('exit 3'), exitCode: null, source: 'gemini' },
      { description: 'seq 1 300', exitCode: null, source: 'gemini' },
    ]);
    expect(rows[0]?.resultSummary.split('\n').sort()).toEqual(['one', 'two']);
    expect(rows[2]?.resultSummary).toBe('red äöü 😀');
    expect(rows[3]?.resultSummary.endsWith('\n299\n300')).toBe(true);
    expect(Buffer.byteLength(rows[3]?.resultSummary ?? '')).toBe(MAX_RESULT_TAIL_BYTES);
    for (const { status } of only(read('commands').events, 'tool-result')) expect(status).toBe('unknown');
  });

  test('a command that the CLI would not run is refused, though it says success', () => {
    expect(only(read('commands').events, 'denied')).toMatchObject([
      { what: 'command echo $(id)', reason: expect.stringContaining('command substitution') },
    ]);
  });

  test.each(['command-in-background', 'killed'])('%s: a command that goes on is no evidence', (name) => {
    const { events } = read(name);
    expect(evidenceOf(events).map(({ description }) => description)).toEqual(name === 'killed' ? ['echo done'] : []);
  });

  test('what a read-only seat was refused is told call by call, and a file that is not there is no refusal', () => {
    const { events } = read('read-only-refused');
    const asked = only(events, 'denied').map(({ what }) => what);
    expect(asked).toEqual([
      'write file new.txt',
      'command touch new.txt',
      'write file plan.md',
      'exit_plan_mode',
      'read file /etc/hostname',
    ]);
    expect(evidenceOf(events)).toEqual([]);
    expect(only(events, 'tool-result').map(({ status }) => status)).toEqual(['failed', 'failed']);
    const calls = new Set(only(events, 'tool-call').map(({ callId }) => callId));
    for (const { callId } of only(events, 'denied')) expect(calls).toContain(callId);
  });

  test('writing beside the attachments is refused by the seat’s own rules', () => {
    const { events } = read('file-change');
    expect(only(events, 'denied')).toMatchObject([
      { what: 'write file /work-tree/data/images/c/a.png.txt', reason: expect.stringContaining('Parley keeps') },
      { what: 'write file ../data/images/c/spoilt.txt', reason: expect.stringContaining('without “..”') },
    ]);
    expect(only(events, 'tool-call')[0]).toMatchObject({ tool: 'write file', title: 'new.txt' });
    expect(only(events, 'tool-result')[0]).toMatchObject({ status: 'ok' });
  });

  test('a file that was read is told as opened', () => {
    expect(only(read('image').events, 'opened')).toEqual([{ type: 'opened', path: '/work-tree/data/images/c/a.png' }]);
    expect(only(read('read-only-refused').events, 'opened')).toEqual([]);
  });

  test('a resumed session is resumed, by its id', () => {
    const { resuming } = readRecording('gemini', 'resumed');
    expect(only(read('resumed').events, 'session')).toEqual([{ type: 'session', sessionId: resuming, how: 'resumed' }]);
    expect(only(read('plain').events, 'session')).toMatchObject([{ sessionId: resuming, how: 'fresh' }]);
  });

  test('what failed before it began has used nothing', () => {
    expect(only(read('unauthorized').events, 'usage')).toEqual([]);
  });
});

describe('whatever is printed', () => {
  test('any JSON at all is read without throwing, into events of the contract', () => {
    const known = fc.constantFrom('init', 'message', 'tool_use', 'tool_result', 'error', 'result');
    const id = fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue());
    const tools = fc.constantFrom('run_shell_command', 'read_file', 'write_file', 'constructor', '__proto__', 'later');
    const event = fc.record(
      {
        type: known,
        session_id: fc.jsonValue(),
        role: fc.oneof(fc.constantFrom('user', 'assistant'), fc.jsonValue()),
        content: fc.jsonValue(),
        delta: fc.jsonValue(),
        tool_name: fc.oneof(tools, fc.jsonValue()),
        tool_id: id,
        parameters: fc.oneof(
          fc.record({ command: fc.jsonValue(), file_path: fc.jsonValue(), is_background: fc.jsonValue() }),
          fc.jsonValue(),
        ),
        status: fc.oneof(fc.constantFrom('success', 'error'), fc.jsonValue()),
        output: fc.jsonValue(),
        error: fc.oneof(
          fc.record({ type: fc.constantFrom('policy_violation', 'tool_not_registered', 'x'), message: fc.jsonValue() }),
          fc.jsonValue(),
        ),
        severity: fc.oneof(fc.constantFrom('error', 'warning'), fc.jsonValue()),
        message: fc.jsonValue(),
        stats: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => {
        for (const made of readEvents(...events).events) readerEvent.parse(made);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a session id that could be taken for an option is never kept', () => {
    for (const session_id of ['--yolo', '../x', '', 7, null]) {
      const { events } = readEvents({ type: 'init', session_id });
      expect(only(events, 'session')).toEqual([]);
      expect(only(events, 'notice')).toMatchObject([{ level: 'warning' }]);
    }
  });

  test('another session than the one asked for is fresh, and the operator is told', () => {
    const { events } = readLines(new GeminiReader('asked-for'), ['{"type":"init","session_id":"another"}']);
    expect(events).toMatchObject([
      { type: 'session', sessionId: 'another', how: 'fresh' },
      { type: 'notice', level: 'warning', text: expect.stringContaining('asked-for') },
    ]);
  });

  test('results that come in another order than their calls find them', () => {
    const call = (tool_id: string, command: string) => ({ ...shell({ command }), tool_id });
    const { events } = readEvents(
      call('a', 'make'),
      call('b', 'ls'),
      { ...result({ status: 'success', output: 'B' }), tool_id: 'b' },
      { ...result({ status: 'success', output: 'A' }), tool_id: 'a' },
    );
    expect(evidenceOf(events).map(({ description, resultSummary }) => [description, resultSummary])).toEqual([
      ['ls', 'B'],
      ['make', 'A'],
    ]);
  });

  test('a result whose call was lost has a card, and is no evidence', () => {
    const { events } = readEvents(result({ status: 'success', output: 'x' }));
    expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-result']);
  });

  test('a command that only speaks of what is blocked, or was not started, is what it is', () => {
    const blocked = 'Blocked: command substitution detected in shell command.';
    const spoken = readEvents(shell({ command: `echo "${blocked}"` }), result({ status: 'success', output: blocked }));
    expect(evidenceOf(spoken.events)).toHaveLength(1);
    const failed = readEvents(
      shell({ command: 'x' }),
      result({ status: 'error', error: { type: 'shell_execute_error' } }),
    );
    expect(evidenceOf(failed.events)).toEqual([]);
    expect(only(failed.events, 'tool-result')).toMatchObject([{ status: 'failed' }]);
  });

  test('a message that is not told in pieces stands for itself', () => {
    const { events } = readEvents(said('One'), said('Two', {}), said('Thr'), said('ee'));
    expect(answerIn(events)).toBe('Three');
    expect(new Set(only(events, 'text').map(({ messageId }) => messageId)).size).toBe(3);
  });

  test('a warning is a notice; an error is one only when the turn came to a good end all the same', () => {
    const error = { type: 'error', severity: 'error', message: 'Maximum session turns exceeded' };
    const warned = readEvents({ type: 'error', severity: 'warning', message: 'Loop detected' }, error, {
      type: 'result',
      status: 'success',
    });
    expect(only(warned.events, 'notice').map(({ text }) => text)).toEqual(['Loop detected', error.message]);
    expect(warned.report).toEqual({ finished: true, error: null });
    expect(readEvents(error, { type: 'result', status: 'error' }).report).toEqual({
      finished: false,
      error: error.message,
    });
  });
});
