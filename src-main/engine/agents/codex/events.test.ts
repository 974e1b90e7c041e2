import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readerEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { answerIn, evidenceOf, linesOf, only, type Read, readLines, readRecording } from '../recordings.ts';
import { CodexReader } from './events.ts';

function read(name: string): Read {
  const recording = readRecording('codex', name);
  return readLines(new CodexReader(recording.resuming, 'codex'), linesOf(recording.stdout));
}

function readEvents(...events: unknown[]): Read {
  return readLines(
    new CodexReader(null, 'codex'),
    events.map((event) => JSON.stringify(event)),
  );
}

const command = (fields: object) => ({ id: 'item_1', type: 'command_execution', command: 'make', ...fields });

describe('recorded transcripts', () => {
  test('the last message is the answer, and the reasoning is not', () => {
    const { events, report } = read('plain');
    expect(answerIn(events)).toBe('Good morning. What shall we do?');
    expect(only(events, 'thinking').map(({ text }) => text)).toEqual(['The operator greets.']);
    expect(only(events, 'usage')).toEqual([
      { type: 'usage', usage: { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34, costUsd: null } },
    ]);
    expect(report).toEqual({ finished: true, error: null });
  });

  test('a message before the last one does not become part of it', () => {
    expect(answerIn(read('commands').events)).toBe('One command failed with code 3.');
  });

  test('each finished command is one row of evidence, with its code and the end of its output', () => {
    const rows = evidenceOf(read('commands').events);
    expect(rows.map(({ id, description, exitCode, source }) => ({ id, description, exitCode, source }))).toEqual([
      { id: 'item_2', description: "/bin/bash -lc 'echo one; echo two >&2'", exitCode: 0, source: 'codex' },
      {
        id: 'item_3',
        description: expect.stringContaining('exit 3'),
        exitCode: 3,
        source: 'codex',
      },
      { id: 'item_4', description: "/bin/bash -lc 'seq 1 3000'", exitCode: 0, source: 'codex' },
    ]);
    // Two streams have no order between them.
    expect(rows[0]?.resultSummary.split('\n').sort()).toEqual(['', 'one', 'two']);
    expect(rows[1]?.resultSummary).toBe('red äöü 😀\n');
    expect(rows[2]?.resultSummary.endsWith('\n2999\n3000\n')).toBe(true);
    expect(Buffer.byteLength(rows[2]?.resultSummary ?? '')).toBe(MAX_RESULT_TAIL_BYTES);
  });

  test.each(['command-still-running', 'killed'])('%s: a command without an end has a card and no evidence', (name) => {
    const { events } = read(name);
    const calls = only(events, 'tool-call').map(({ callId }) => callId);
    const results = only(events, 'tool-result').map(({ callId }) => callId);
    expect(calls.length - results.length).toBe(1);
    expect(evidenceOf(events).map(({ id }) => id)).toEqual(results);
  });

  test('a refused write is no more than what the shell said about it', () => {
    const { events } = read('read-only-write-refused');
    expect(evidenceOf(events)).toMatchObject([{ exitCode: 1, resultSummary: expect.stringContaining('Read-only') }]);
    expect(only(events, 'denied')).toEqual([]);
  });

  test('a changed file is a card of its own', () => {
    const { events } = read('file-change');
    expect(only(events, 'tool-call')).toMatchObject([{ tool: 'file change', title: 'add /work-tree/cwd/new.txt' }]);
    expect(only(events, 'tool-result')).toMatchObject([{ status: 'ok' }]);
  });

  test('a resumed session is resumed, by its id', () => {
    const { resuming } = readRecording('codex', 'resumed');
    expect(only(read('resumed').events, 'session')).toEqual([{ type: 'session', sessionId: resuming, how: 'resumed' }]);
    expect(only(read('plain').events, 'session')).toMatchObject([{ sessionId: resuming, how: 'fresh' }]);
  });

  test('what was tried again is told, and is no failure', () => {
    const { events, report } = read('retried');
    expect(only(events, 'notice').at(-1)).toMatchObject({
      level: 'info',
      text: expect.stringMatching(/^Reconnecting/),
    });
    expect(answerIn(events)).toBe('The whole answer.');
    expect(report).toEqual({ finished: true, error: null });
  });

  test('a model without a description is worth a remark, not a warning', () => {
    expect(only(read('plain').events, 'notice')).toMatchObject([{ level: 'info', text: /fallback metadata/ }]);
  });
});

describe('whatever is printed', () => {
  test('any JSON at all is read without throwing, into events of the contract', () => {
    const known = fc.constantFrom(
      'thread.started',
      'item.started',
      'item.updated',
      'item.completed',
      'turn.completed',
      'turn.failed',
      'error',
    );
    const items = fc.constantFrom(
      'agent_message',
      'reasoning',
      'command_execution',
      'file_change',
      'mcp_tool_call',
      'web_search',
      'todo_list',
      'error',
      'later',
    );
    const item = fc.record(
      {
        id: fc.oneof(fc.string(), fc.jsonValue()),
        type: fc.oneof(items, fc.jsonValue()),
        text: fc.jsonValue(),
        command: fc.jsonValue(),
        aggregated_output: fc.jsonValue(),
        exit_code: fc.jsonValue(),
        status: fc.oneof(fc.constantFrom('completed', 'failed', 'declined', 'in_progress'), fc.jsonValue()),
        changes: fc.jsonValue(),
        items: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
        message: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const event = fc.record(
      {
        type: known,
        item: fc.oneof(item, fc.jsonValue()),
        thread_id: fc.jsonValue(),
        usage: fc.jsonValue(),
        error: fc.jsonValue(),
        message: fc.jsonValue(),
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

  test('an exit code that is not a whole number was not reported', () => {
    for (const exit_code of [null, undefined, '0', 0.5, {}]) {
      const { events } = readEvents({ type: 'item.completed', item: command({ exit_code, status: 'completed' }) });
      expect(evidenceOf(events)).toMatchObject([{ exitCode: null }]);
      expect(only(events, 'tool-result')).toMatchObject([{ status: 'unknown', exitCode: null }]);
    }
  });

  test('a command that is handed over while it runs, or was declined, is no evidence', () => {
    const running = readEvents({ type: 'item.completed', item: command({ status: 'in_progress', exit_code: null }) });
    expect(evidenceOf(running.events)).toEqual([]);
    const declined = readEvents({ type: 'item.completed', item: command({ status: 'declined' }) });
    expect(evidenceOf(declined.events)).toEqual([]);
    expect(only(declined.events, 'denied')).toEqual([
      { type: 'denied', callId: 'item_1', what: 'make', reason: 'declined' },
    ]);
  });

  test('a session id that could be taken for an option is never kept', () => {
    for (const thread_id of ['--dangerously-bypass-approvals-and-sandbox', '../x', '', 7, null]) {
      const { events } = readEvents({ type: 'thread.started', thread_id });
      expect(only(events, 'session')).toEqual([]);
      expect(only(events, 'notice')).toMatchObject([{ level: 'warning' }]);
    }
  });

  test('another session than the one asked for is fresh, and the operator is told', () => {
    const { events } = readLines(new CodexReader('asked-for', 'codex'), [
      '{"type":"thread.started","thread_id":"another"}',
    ]);
    expect(events).toMatchObject([
      { type: 'session', sessionId: 'another', how: 'fresh' },
      { type: 'notice', level: 'warning', text: expect.stringContaining('asked-for') },
    ]);
  });

  test('a message that grows is passed on in pieces, and one that changes becomes another', () => {
    const message = (type: string, text: string) => ({ type, item: { id: 'm', type: 'agent_message', text } });
    const grown = readEvents(
      message('item.updated', 'One'),
      message('item.updated', 'One, two'),
      message('item.completed', 'One, two.'),
    );
    expect(only(grown.events, 'text').map(({ text }) => text)).toEqual(['One', ', two', '.']);
    const changed = readEvents(message('item.updated', 'One'), message('item.completed', 'Two'));
    expect(answerIn(changed.events)).toBe('Two');
  });

  test('a turn that failed after all is not finished', () => {
    const { report } = readEvents({ type: 'turn.completed' }, { type: 'turn.failed', error: { message: 'late' } });
    expect(report).toEqual({ finished: false, error: 'late' });
  });

  test('a tool of a later version has a card that names it', () => {
    const { events } = readEvents({ type: 'item.completed', item: { id: 'x', type: 'hologram', title: 'a cube' } });
    expect(events).toEqual([
      { type: 'tool-call', callId: 'x', tool: 'hologram', title: 'a cube' },
      { type: 'tool-result', callId: 'x', status: 'unknown', output: '', exitCode: null },
    ]);
  });

  test('plans, tools of servers and searches have cards', () => {
    const { events } = readEvents(
      {
        type: 'item.completed',
        item: { id: 'a', type: 'todo_list', items: [{ text: 'look', completed: true }, { text: 'write' }] },
      },
      {
        type: 'item.completed',
        item: {
          id: 'b',
          type: 'mcp_tool_call',
          server: 'files',
          tool: 'list',
          status: 'failed',
          error: { message: 'no' },
        },
      },
      { type: 'item.completed', item: { id: 'c', type: 'web_search', query: 'weather' } },
    );
    expect(only(events, 'tool-call').map(({ tool, title }) => [tool, title])).toEqual([
      ['plan', '2 steps'],
      ['MCP tool', 'files · list'],
      ['web search', 'weather'],
    ]);
    expect(only(events, 'tool-result')).toMatchObject([
      { output: '[x] look\n[ ] write', status: 'unknown' },
      { output: 'no', status: 'failed' },
      { status: 'unknown' },
    ]);
  });
});
