import { describe, expect, test } from 'vitest';
import { describeOutcome } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { recordedCauses } from '../recordings.ts';
import { SILENT } from '../samples.ts';
import { explainCodex } from './explain.ts';

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
  const cause = recordedCauses('codex')['usage-limit'];
  if (cause === null || cause === undefined) throw new Error('no cause');
  const { sentence, step } = describeOutcome({ kind: 'failed', cause, stderrTail: '' }, 'Codex');
  expect(sentence).toBe('Codex’s usage limit is reached. It resets at Jan 1st, 2099 12:00 AM.');
  expect(step).toBe('continue-then');
});
