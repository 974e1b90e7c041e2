import { describe, expect, test } from 'vitest';
import { describeOutcome } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { recordedCauses } from '../recordings.ts';
import { SILENT } from '../samples.ts';
import { explainClaude } from './explain.ts';
import { writeFailure } from './failure.ts';
import { claudeSignIn } from './signIn.ts';

const FAILED = { code: 1, signal: null };

/** What is made of a failure that the stream reported. */
function explain(kind: string, text: string, fields: Partial<Ending> = {}) {
  const error = writeFailure({ kind, resetsAt: null, text });
  return explainClaude({ ...SILENT, exit: FAILED, report: { finished: false, error }, ...fields });
}

describe('endings without events', () => {
  test('nothing at all is no answer', () => {
    expect(explainClaude(SILENT)).toEqual({ kind: 'no-answer' });
  });

  test('an exit at once keeps its code, and its words are on stderr', () => {
    const stderrTail = 'Error: claude native binary not installed.';
    const cause = { kind: 'exit', ...FAILED, detail: null };
    expect(explainClaude({ ...SILENT, exit: FAILED, stderrTail })).toEqual(cause);
  });

  test('an answer without the end of the turn is not taken for a whole one', () => {
    expect(explainClaude({ ...SILENT, answered: true })).toMatchObject({ kind: 'exit', code: 0 });
  });

  test('an answer that speaks of limits is not taken for one', () => {
    const report = { finished: true, error: null };
    expect(explainClaude({ ...SILENT, answered: true, report, stdoutTail: 'You’ve hit your usage limit' })).toBeNull();
  });
});

describe('failures that the stream reports', () => {
  test('are told apart by their kind where the words say nothing', () => {
    expect(explain('authentication_failed', '?')).toEqual({ kind: 'auth' });
    expect(explain('rate_limit', '?')).toEqual({ kind: 'rate-limit' });
    expect(explain('billing_error', '?')).toMatchObject({ kind: 'usage-limit', resetsAt: null });
    expect(explain('model_not_found', '?', { model: 'm-9' })).toEqual({ kind: 'model-not-found', model: 'm-9' });
  });

  test('and by their words where the kind says nothing', () => {
    expect(explain('unknown', 'Not logged in · Please run /login')).toEqual({ kind: 'auth' });
    expect(explain('unknown', "You've hit your weekly limit · resets 9:42pm (Europe/Berlin) · /upgrade")).toEqual({
      kind: 'usage-limit',
      resetsAt: '9:42pm (Europe/Berlin)',
      resumesAt: null,
    });
    expect(explain('server_error', 'API Error: Request timed out.')).toMatchObject({ kind: 'dropped' });
    expect(explain('invalid_request', 'Prompt is too long')).toEqual({ kind: 'context-overflow' });
  });

  test('a session is only rejected where one was asked for and none came', () => {
    const text = 'No conversation found with session ID: x';
    expect(explain('unknown', text, { resuming: 'x' })).toEqual({ kind: 'session-rejected', sessionId: 'x' });
    expect(explain('unknown', text)).toMatchObject({ kind: 'exit', detail: text });
    expect(explain('unknown', text, { resuming: 'x', sessionReported: true })).toMatchObject({ kind: 'exit' });
  });
});

test('a limit reads as a sentence, and can be waited for', () => {
  const cause = recordedCauses('claude')['usage-limit'];
  if (cause === null || cause === undefined) throw new Error('no cause');
  const { sentence, step } = describeOutcome({ kind: 'failed', cause, stderrTail: '' }, 'Claude Code');
  expect(sentence).toBe('Claude Code’s usage limit is reached. It resets Jan 1, 2099, 12am (UTC).');
  expect(step).toBe('continue-then');
});

describe('whether it is signed in', () => {
  const look = (env: Record<string, string>, files: Record<string, string> = {}) =>
    claudeSignIn({ home: '/home/o', env, readText: async (path) => files[path] ?? null });

  test('is told from its variables, its account, its state and its settings, in that order', async () => {
    expect(await look({ ANTHROPIC_API_KEY: 'x' })).toEqual({ state: 'signed-in', detail: 'ANTHROPIC_API_KEY is set.' });
    expect((await look({}, { '/home/o/.claude/.credentials.json': '{}' })).state).toBe('signed-in');
    expect((await look({}, { '/home/o/.claude.json': '{"oauthAccount":{}}' })).state).toBe('signed-in');
    expect((await look({}, { '/home/o/.claude/settings.json': '{"apiKeyHelper":"x"}' })).state).toBe('unknown');
    expect((await look({ ANTHROPIC_API_KEY: '' }, { '/home/o/.claude.json': '{}' })).state).toBe('not-signed-in');
  });

  test('in the directory that the operator chose', async () => {
    const env = { CLAUDE_CONFIG_DIR: '/c' };
    expect((await look(env, { '/c/.credentials.json': '{}' })).state).toBe('signed-in');
    expect((await look(env, { '/c/.claude.json': '{"primaryApiKey":"x"}' })).state).toBe('signed-in');
    expect((await look(env, { '/home/o/.claude/.credentials.json': '{}' })).state).toBe('not-signed-in');
  });
});
