import { describe, expect, test } from 'vitest';
import type { Cause } from '../../../../src-shared/outcome.ts';
import { describeOutcome } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { CodexReader } from './events.ts';
import { explainCodex } from './explain.ts';
import { endingOf, linesOf, readLines, readRecording, recordingNames } from './recordings.ts';

/** The cause of every recorded ending; `null` for those that completed. */
const CAUSES: Readonly<Record<string, Cause | null>> = {
  plain: null,
  commands: null,
  'command-still-running': null,
  image: null,
  resumed: null,
  'read-only-write-refused': null,
  'file-change': null,
  retried: null,
  killed: { kind: 'exit', code: null, signal: 'SIGKILL', detail: null },
  'turn-failed': { kind: 'exit', code: 1, signal: null, detail: 'Invalid image data' },
  unauthorized: { kind: 'auth' },
  'not-signed-in': { kind: 'auth' },
  'rate-limit': { kind: 'rate-limit' },
  'rate-limit-in-stream': { kind: 'rate-limit' },
  'usage-limit': { kind: 'usage-limit', resetsAt: 'at Jan 1st, 2099 12:00 AM' },
  'usage-limit-without-time': { kind: 'usage-limit', resetsAt: null },
  quota: { kind: 'usage-limit', resetsAt: null },
  'context-overflow': { kind: 'context-overflow' },
  overloaded: {
    kind: 'exit',
    code: 1,
    signal: null,
    detail: 'We’re currently experiencing high demand, which may cause temporary errors',
  },
  dropped: {
    kind: 'dropped',
    detail: 'stream disconnected before completion: Transport error: network error: error decoding response body',
  },
  'garbage-from-provider': { kind: 'no-answer' },
  'unknown-session': { kind: 'session-rejected', sessionId: '01900000-0000-7000-8000-000000000000' },
};

const SILENT: Ending = {
  exit: { code: 0, signal: null },
  report: { finished: false, error: null },
  stderrTail: '',
  stdoutTail: '',
  resuming: null,
  sessionReported: false,
  answered: false,
};

test('every recorded ending has its cause here', () => {
  expect(Object.keys(CAUSES).sort()).toEqual([...recordingNames].sort());
});

test.each(recordingNames)('“%s” ended for the reason it shows', (name) => {
  const recording = readRecording(name);
  const read = readLines(new CodexReader(recording.resuming, 'codex'), linesOf(recording.stdout));
  expect(explainCodex(endingOf(recording, read))).toEqual(CAUSES[name]);
});

describe('endings without events', () => {
  test('nothing at all is no answer', () => {
    expect(explainCodex(SILENT)).toEqual({ kind: 'no-answer' });
  });

  test('an exit at once keeps its code', () => {
    expect(explainCodex({ ...SILENT, exit: { code: 7, signal: null }, stderrTail: 'no such option' })).toEqual({
      kind: 'exit',
      code: 7,
      signal: null,
      detail: null,
    });
  });

  test('a message that is too long for Codex is called that (codex-cli 0.171)', () => {
    const cause = explainCodex({
      ...SILENT,
      exit: { code: 1, signal: null },
      sessionReported: true,
      stderrTail:
        'Error: turn/start: turn/start failed: Input exceeds the maximum length of 1048576 characters. (code -32602), data: {"input_error_code":"input_too_large","max_chars":1048576,"actual_chars":5000000}',
    });
    expect(cause).toMatchObject({ kind: 'exit', detail: expect.stringContaining('1,048,576 characters') });
  });

  test('a key that is named and not set is a matter of signing in', () => {
    const stderrTail = 'Error: Missing environment variable: `OPENAI_API_KEY`.';
    expect(explainCodex({ ...SILENT, exit: { code: 1, signal: null }, stderrTail })).toEqual({ kind: 'auth' });
  });

  test('an answer without the end of the turn is not taken for a whole one', () => {
    expect(explainCodex({ ...SILENT, answered: true })).toMatchObject({ kind: 'exit', code: 0 });
  });

  test('an answer that speaks of limits is not taken for one', () => {
    const answered: Ending = {
      ...SILENT,
      answered: true,
      report: { finished: true, error: null },
      stdoutTail: 'You’ve hit your usage limit',
    };
    expect(explainCodex(answered)).toBeNull();
  });
});

test('the reset time reads as a sentence', () => {
  const cause = CAUSES['usage-limit'];
  if (cause === null || cause === undefined) throw new Error('no cause');
  const { sentence } = describeOutcome({ kind: 'failed', cause, stderrTail: '' }, 'Codex');
  expect(sentence).toBe('Codex’s usage limit is reached. It resets at Jan 1st, 2099 12:00 AM.');
});
