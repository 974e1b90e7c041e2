import { describe, expect, test } from 'vitest';
import { describeOutcome } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { recordedCauses } from '../recordings.ts';
import { SILENT } from '../samples.ts';
import { explainGemini } from './explain.ts';
import { durationMs } from './resetTime.ts';

const reported = (error: string): Ending => ({
  ...SILENT,
  exit: { code: 1, signal: null },
  report: { finished: false, error },
});

describe('endings without events', () => {
  test('nothing at all is no answer', () => {
    expect(explainGemini(SILENT)).toEqual({ kind: 'no-answer' });
  });

  test('an exit at once keeps its code', () => {
    expect(explainGemini({ ...SILENT, exit: { code: 7, signal: null }, stderrTail: 'no such option' })).toEqual({
      kind: 'exit',
      code: 7,
      signal: null,
      detail: null,
    });
  });

  test('an answer without the end of the turn is not taken for a whole one', () => {
    expect(explainGemini({ ...SILENT, answered: true })).toMatchObject({ kind: 'exit', code: 0 });
  });

  test('an answer that speaks of quotas is not taken for one', () => {
    const answered: Ending = {
      ...SILENT,
      answered: true,
      report: { finished: true, error: null },
      stderrTail: 'You have exhausted your daily quota on this model.',
    };
    expect(explainGemini(answered)).toBeNull();
  });

  test('a directory in which nothing was said yet has no session either', () => {
    const cause = explainGemini({
      ...SILENT,
      exit: { code: 42, signal: null },
      resuming: 'abc',
      stderrTail: 'Error resuming session: No previous sessions found for this project.',
    });
    expect(cause).toEqual({ kind: 'session-rejected', sessionId: 'abc' });
  });
});

describe('what the API says', () => {
  test('a wait that the CLI would sit out itself is a rate limit, a longer one a used-up quota', () => {
    const wait = (length: string) => explainGemini(reported(`[API Error: Slow down. Please retry in ${length}.]`));
    expect(wait('34.07s')).toEqual({ kind: 'rate-limit' });
    expect(wait('5400s')).toEqual({ kind: 'usage-limit', resetsAt: 'in 5400s', resumesAt: 5_400_000 });
  });

  test('an unknown failure is told in its own words', () => {
    expect(explainGemini(reported('[API Error: {"error":{"message":"The image is broken."}}]'))).toMatchObject({
      kind: 'exit',
      detail: 'The image is broken',
    });
    expect(explainGemini(reported('[API Error: {{{]'))).toMatchObject({ kind: 'exit', detail: '{{{' });
  });
});

test('the reset time reads as a sentence, and names a moment', () => {
  const cause = recordedCauses('gemini')['usage-limit'];
  if (cause === null || cause === undefined) throw new Error('no cause');
  const { sentence, step } = describeOutcome({ kind: 'failed', cause, stderrTail: '' }, 'Gemini CLI');
  expect(sentence).toBe('Gemini CLI’s usage limit is reached. It resets after 13h14m3s.');
  expect(step).toBe('continue-then');
});

test.each([
  ['13h14m3s', 47_643_000],
  ['1d2h', 93_600_000],
  ['34.07s', 34_070],
  ['900ms', 900],
  ['later', 0],
])('%s is %i ms', (wording, ms) => {
  expect(durationMs(wording)).toBe(ms);
});
