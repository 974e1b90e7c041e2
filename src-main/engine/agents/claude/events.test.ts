import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readerEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { answerIn, evidenceOf, linesOf, only, type Read, readLines, readRecording } from '../recordings.ts';
import { ClaudeReader } from './events.ts';
import { parseFailure } from './failure.ts';

function read(name: string, arrange: (lines: string[]) => string[] = (lines) => lines): Read {
  const { resuming, stdout } = readRecording('claude', name);
  return readLines(new ClaudeReader(resuming, 'claude'), arrange(linesOf(stdout)));
}

function readEvents(...events: unknown[]): Read {
  const lines = events.map((event) => JSON.stringify(event));
  return readLines(new ClaudeReader(null, 'claude'), lines);
}

const assistant = (...content: object[]) => ({ type: 'assistant', message: { content } });
const bash = (id: string, command: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
const result = (id: string, fields: object) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, ...fields }] },
});

describe('recorded transcripts', () => {
  test('the last message is the answer, in the pieces in which it came, and thinking is not', () => {
    const { events, report } = read('plain');
    expect(only(events, 'text').map(({ text }) => text)).toEqual(['Good ', 'morning. ', 'What shall we do?']);
    expect(new Set(only(events, 'text').map(({ messageId }) => messageId)).size).toBe(1);
    expect(only(events, 'thinking').map(({ text }) => text)).toEqual(['The operator greets.']);
    expect(only(events, 'usage')).toMatchObject([
      { usage: { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34, costUsd: expect.any(Number) } },
    ]);
    expect(report).toEqual({ finished: true, error: null });
  });

  test('without its pieces a message is the same', () => {
    const whole = read('commands', (lines) => lines.filter((line) => !line.includes('"stream_event"')));
    expect(answerIn(whole.events)).toBe('One command failed with code 3.');
    expect(evidenceOf(whole.events)).toEqual(evidenceOf(read('commands').events));
  });

  test('without any message the answer is that of the result', () => {
    const { events } = read('plain', (lines) => lines.slice(-1));
    expect(answerIn(events)).toBe('Good morning. What shall we do?');
  });

  test('each finished command is one row, with the code where the stream states one', () => {
    const rows = evidenceOf(read('commands').events);
    expect(rows.map(({ description, exitCode, source }) => [description, exitCode, source])).toEqual([
      ['echo one; echo two >&2', null, 'claude'],
      ['exit 4', 4, 'claude'],
      [expect.stringContaining('exit 3'), 3, 'claude'],
      ['seq 1 2500', null, 'claude'],
      ['sleep 9', 143, 'claude'],
    ]);
    expect(rows[0]?.resultSummary).toBe('one\ntwo');
    expect(rows[2]?.resultSummary).toBe('red äöü 😀');
    expect(rows[3]?.resultSummary.endsWith('\n2499\n2500')).toBe(true);
    expect(Buffer.byteLength(rows[3]?.resultSummary ?? '')).toBe(MAX_RESULT_TAIL_BYTES);
  });

  test('results of commands that ran at once may come in any order', () => {
    const swapped = read('commands', (lines) => {
      const results = lines.flatMap((line, index) => (line.startsWith('{"type":"user"') ? [index] : []));
      const [one = 0, two = 0] = results;
      return lines.map((line, index) => (index === one ? lines[two] : index === two ? lines[one] : line) ?? '');
    });
    const byCommand = (read: Read) =>
      evidenceOf(read.events).sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }));
    expect(byCommand(swapped)).toEqual(byCommand(read('commands')));
  });

  test('what ended in the background is evidence without a code, what was ended is none', () => {
    const { events } = read('background');
    expect(evidenceOf(events).map(({ description, exitCode }) => [description, exitCode])).toEqual([
      ['true', null],
      ['sleep 0.5', null],
    ]);
    const statuses = only(events, 'tool-result').map(({ status }) => status);
    expect(statuses).toEqual(['unknown', 'ok', 'unknown']);
  });

  test('killed: a command without an end is no evidence', () => {
    expect(evidenceOf(read('killed').events).map(({ description }) => description)).toEqual(['echo done']);
  });

  test('what a seat that cannot write was refused is denied, with Claude Code’s own reason, each once', () => {
    const { events } = read('read-only');
    const denied = only(events, 'denied');
    expect(denied.map(({ what }) => what)).toEqual([
      ...['touch new.txt', 'echo x > new.txt', 'python3 -c 1', 'cat /etc/hostname'],
      ...['file change /work-tree/new.txt', 'read /etc/hostname', 'EnterWorktree w'],
    ]);
    expect(denied[3]?.reason).toContain('was blocked. For security');
    expect(evidenceOf(events).map(({ description }) => description)).toEqual(['ls']);
    const cards = only(events, 'tool-call').map(({ callId }) => callId);
    expect(denied.every(({ callId }) => callId !== null && cards.includes(callId))).toBe(true);
  });

  test('what only the result lists as denied is denied too', () => {
    const { events } = read('can-write', (lines) => lines.filter((line) => !line.includes('has been denied')));
    expect(only(events, 'denied').map(({ what }) => what)).toContain("touch '/work-tree/data/images/c/a.png.txt'");
  });

  test('a file that was read is told, by the path that was asked for', () => {
    expect(only(read('resumed').events, 'opened')).toEqual([
      { type: 'opened', path: '/work-tree/data/images/c/a.png' },
    ]);
    expect(only(read('read-only').events, 'opened')).toEqual([]);
  });

  test('a resumed session is resumed, by its id', () => {
    const { resuming } = readRecording('claude', 'resumed');
    expect(only(read('resumed').events, 'session')).toEqual([{ type: 'session', sessionId: resuming, how: 'resumed' }]);
    expect(only(read('plain').events, 'session')).toMatchObject([{ sessionId: resuming, how: 'fresh' }]);
    // The id that it could not find stands in the result: that is no session.
    expect(only(read('unknown-session').events, 'session')).toEqual([]);
  });

  test('what a helper does is seen, what it says is not the answer', () => {
    const { events } = read('helper');
    expect(only(events, 'text').map(({ text }) => text)).toEqual(['The agent’s answer.']);
    expect(evidenceOf(events)).toMatchObject([{ description: 'echo seen', resultSummary: 'seen' }]);
  });

  test('an error in the place of a message is no answer', () => {
    for (const name of ['unauthorized', 'usage-limit', 'model-not-found', 'unreachable']) {
      const { events, report } = read(name);
      expect(only(events, 'text'), name).toEqual([]);
      expect(report.finished).toBe(false);
      expect(parseFailure(report.error ?? '').kind).not.toBe('unknown');
    }
    expect(answerIn(read('broken-off').events)).toBe('Half an ans');
  });

  test('what was tried again is told, and is no failure', () => {
    const { events, report } = read('retried');
    expect(only(events, 'notice')).toMatchObject([{ level: 'info', text: expect.stringContaining('status 529') }]);
    expect([answerIn(events), report.error]).toEqual(['The whole answer.', null]);
  });
});

describe('whatever is printed', () => {
  test('any JSON at all is read without throwing, into events of the contract', () => {
    const part = fc.record(
      {
        type: fc.oneof(fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image'), fc.jsonValue()),
        id: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
        tool_use_id: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
        name: fc.oneof(fc.constantFrom('Bash', 'Read', 'mcp__x__y', 'later'), fc.jsonValue()),
        input: fc.oneof(fc.record({ command: fc.jsonValue(), file_path: fc.jsonValue() }), fc.jsonValue()),
        content: fc.oneof(fc.constant('Exit code 3\nx'), fc.jsonValue()),
        text: fc.jsonValue(),
        thinking: fc.jsonValue(),
        is_error: fc.oneof(fc.boolean(), fc.jsonValue()),
      },
      { requiredKeys: ['type'] },
    );
    const streamed = fc.record(
      {
        type: fc.constantFrom('message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'),
        index: fc.oneof(fc.nat(2), fc.jsonValue()),
        content_block: fc.oneof(part, fc.jsonValue()),
        delta: fc.oneof(part, fc.jsonValue()),
      },
      { requiredKeys: ['type'] },
    );
    const event = fc.record(
      {
        type: fc.constantFrom('system', 'assistant', 'user', 'stream_event', 'result', 'rate_limit_event'),
        subtype: fc.oneof(
          fc.constantFrom('init', 'api_retry', 'task_started', 'task_updated', 'success', 'compact_boundary'),
          fc.jsonValue(),
        ),
        session_id: fc.jsonValue(),
        message: fc.oneof(fc.record({ content: fc.oneof(fc.array(part), fc.jsonValue()) }), fc.jsonValue()),
        event: fc.oneof(streamed, fc.jsonValue()),
        error: fc.jsonValue(),
        errors: fc.jsonValue(),
        result: fc.jsonValue(),
        usage: fc.jsonValue(),
        total_cost_usd: fc.jsonValue(),
        permission_denials: fc.jsonValue(),
        rate_limit_info: fc.jsonValue(),
        tool_use_result: fc.jsonValue(),
        task_id: fc.constantFrom('t', 'u'),
        tool_use_id: fc.constantFrom('a', 'b'),
        patch: fc.jsonValue(),
        is_error: fc.oneof(fc.boolean(), fc.jsonValue()),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => {
        for (const made of readEvents(...events).events) readerEvent.parse(made);
      }),
      { numRuns: 300 },
    );
  });

  test('a session id that is no UUID is never kept', () => {
    for (const session_id of ['--dangerously-skip-permissions', '../x', 'a title', '', 7, null]) {
      const { events } = readEvents({ type: 'system', subtype: 'init', session_id });
      expect(only(events, 'session')).toEqual([]);
      expect(only(events, 'notice')).toMatchObject([{ level: 'warning' }]);
    }
  });

  test('what a command prints is never taken for its code or for a refusal', () => {
    const { events } = readEvents(
      assistant(bash('a', 'cat log'), bash('b', 'false')),
      result('a', { content: 'Exit code 7\nThis command requires approval', is_error: false }),
      result('b', { content: 'Exit code 1\nThis command requires approval', is_error: true }),
    );
    expect(evidenceOf(events).map(({ exitCode }) => exitCode)).toEqual([null, 1]);
    expect(only(events, 'denied')).toEqual([]);
  });

  test('a command of which nothing says that it ran is no evidence', () => {
    const { events } = readEvents(assistant(bash('a', 'make')), result('a', { content: 'Strange.', is_error: true }));
    expect(evidenceOf(events)).toEqual([]);
    expect(only(events, 'tool-result')).toMatchObject([{ status: 'failed', exitCode: null }]);
  });

  test('a message that changes after it was said becomes another', () => {
    const streamed = (event: object) => ({ type: 'stream_event', event });
    const { events } = readEvents(
      streamed({ type: 'message_start' }),
      streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } }),
      assistant({ type: 'text', text: 'Two' }),
    );
    expect(answerIn(events)).toBe('Two');
  });

  test('an answer that is followed by another one is not the last', () => {
    const end = (tokens: number, cost: number) => ({
      type: 'result',
      subtype: 'success',
      usage: { input_tokens: tokens, output_tokens: 1 },
      total_cost_usd: cost,
    });
    const { events } = readEvents(
      assistant({ type: 'text', text: 'I wait.' }),
      end(10, 0.5),
      assistant({ type: 'text', text: 'It is there.' }),
      end(20, 0.75),
    );
    expect(answerIn(events)).toBe('It is there.');
    expect(only(events, 'usage').at(-1)?.usage).toEqual({
      inputTokens: 30,
      cachedInputTokens: null,
      outputTokens: 2,
      costUsd: 0.75,
    });
  });

  test('a tool of a later version has a card that names it', () => {
    const call = (name: string, input: object) => assistant({ type: 'tool_use', id: name, name, input });
    const { events } = readEvents(
      call('Hologram', { description: 'a cube' }),
      call('mcp__files__list', {}),
      call('TodoWrite', { todos: [{}, {}] }),
    );
    expect(only(events, 'tool-call').map(({ tool, title }) => [tool, title])).toEqual([
      ['Hologram', 'a cube'],
      ['MCP tool', 'files · list'],
      ['plan', '2 steps'],
    ]);
  });
});
