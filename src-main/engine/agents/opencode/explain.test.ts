import { describe, expect, test } from 'vitest';
import type { Ending } from '../agent.ts';
import { SILENT } from '../samples.ts';
import { explainOpenCode } from './explain.ts';

const FAILED = { code: 1, signal: null };

/** The ending of a turn with this error in the stream. */
const withError = (error: string, fields: Partial<Ending> = {}): Ending => ({
  ...SILENT,
  exit: FAILED,
  sessionReported: true,
  report: { finished: false, error },
  ...fields,
});

describe('endings that the recordings do not show', () => {
  test('nothing at all is no answer', () => {
    expect(explainOpenCode(SILENT)).toEqual({ kind: 'no-answer' });
  });

  test('an exit at once keeps its code, and what was printed is no cause that it is not', () => {
    const exit = { code: 7, signal: null };
    expect(explainOpenCode({ ...SILENT, exit, stderrTail: 'no such option' })).toEqual({
      kind: 'exit',
      ...exit,
      detail: null,
    });
  });

  test('an answer without the end of the turn is not taken for a whole one', () => {
    expect(explainOpenCode({ ...SILENT, answered: true })).toMatchObject({ kind: 'exit', code: 0 });
  });

  test('an answer that speaks of limits is not taken for one', () => {
    const report = { finished: true, error: null };
    expect(explainOpenCode({ ...SILENT, answered: true, report, stderrTail: 'usage limit reached' })).toBeNull();
  });

  test('code 1 after an error that the turn survived is a whole turn; a signal never is', () => {
    const survived: Ending = { ...SILENT, answered: true, report: { finished: true, error: null }, exit: FAILED };
    expect(explainOpenCode(survived)).toBeNull();
    expect(explainOpenCode({ ...survived, exit: { code: null, signal: 'SIGKILL' } })).toMatchObject({
      kind: 'exit',
      signal: 'SIGKILL',
    });
  });

  test('a question that nobody could answer is told with what was asked', () => {
    const error = 'The user rejected permission to use this specific tool call: read file /etc/passwd';
    expect(explainOpenCode(withError(error, { exit: { code: 0, signal: null } }))).toEqual({
      kind: 'denied',
      what: 'read file /etc/passwd',
    });
  });

  test('where the stream does not say what was asked, the line on stderr does', () => {
    const error = 'The user rejected permission to use this specific tool call. (UnknownError)';
    const asked = (what: string) => `! permission requested: ${what}; auto-rejecting`;
    const stderrTail = `${asked('webfetch (https://x)')}\n${asked('external_directory (/etc/*)')}\nlevel=ERROR`;
    expect(explainOpenCode(withError(error, { stderrTail }))).toEqual({
      kind: 'denied',
      what: 'external_directory /etc/*',
    });
    expect(explainOpenCode(withError(error))).toMatchObject({ kind: 'denied' });
  });

  test.each([
    ['Insufficient balance. (APIError, HTTP 401, CreditsError)', 'usage-limit'],
    ['Monthly usage limit reached (APIError, HTTP 429, GoUsageLimitError)', 'usage-limit'],
    ['Payment required (APIError, HTTP 402)', 'usage-limit'],
    ['Too Many Requests (APIError, HTTP 429)', 'rate-limit'],
    ['Forbidden (APIError, HTTP 403)', 'auth'],
    ['Anthropic API key is missing. (UnknownError)', 'auth'],
    ['Request Entity Too Large (APIError, HTTP 413)', 'context-overflow'],
    ['model "gpt-9" is not supported (APIError, HTTP 400)', 'model-not-found'],
    ['Cannot connect to API: getaddrinfo ENOTFOUND (APIError)', 'dropped'],
    ['The server is on fire (APIError, HTTP 500)', 'exit'],
  ])('%s', (error, kind) => {
    expect(explainOpenCode(withError(error))?.kind).toBe(kind);
  });

  test('a time to come back at is told in the words that were used, and not guessed', () => {
    expect(explainOpenCode(withError('Usage limit reached. It will reset in 3 hours (APIError, HTTP 429)'))).toEqual({
      kind: 'usage-limit',
      resetsAt: 'in 3 hours',
      resumesAt: 3 * 3_600_000,
    });
    expect(explainOpenCode(withError('Usage limit reached, resets on Monday (APIError)'))).toMatchObject({
      resetsAt: 'on Monday',
      resumesAt: null,
    });
  });

  test('a session is only rejected when one was asked for and none came', () => {
    const gone = { ...SILENT, exit: FAILED, stderrTail: 'Error: Session not found' };
    expect(explainOpenCode({ ...gone, resuming: 'ses_1' })).toEqual({ kind: 'session-rejected', sessionId: 'ses_1' });
    expect(explainOpenCode(gone)).toMatchObject({ kind: 'exit' });
  });

  test('the reason that stands only in the log is found there, whoever else it logged about', () => {
    const stderrTail =
      'level=ERROR message="share subscriber failed" cause="HTTP 429"\nlevel=ERROR message=failed ref=err_1 error="ProviderModelNotFoundError: Model not found: a/gpt-4.1. Did you mean: gpt-4?" cause="x"';
    const error = 'Unexpected server error. Check server logs for details. (UnknownError)';
    expect(explainOpenCode(withError(error, { stderrTail }))).toEqual({ kind: 'model-not-found', model: 'a/gpt-4.1' });
    expect(
      explainOpenCode(withError(error, { stderrTail: 'message=failed ref=e error="disk I/O error"' })),
    ).toMatchObject({
      kind: 'exit',
      detail: 'disk I/O error',
    });
  });
});
