import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../../src-shared/attachments.ts';
import { attachmentId, conversationId, runId } from '../../../../src-shared/ids.ts';
import type { Ending, Invocation, SeatTurn } from '../agent.ts';
import { answerIn, evidenceOf, linesOf, readLines, readRecording } from '../recordings.ts';
import { guide } from './index.ts';

const image: Attachment = {
  id: attachmentId.parse('att-20261201-100000-0000000a'),
  conversationId: conversationId.parse('conv-20261201-100000-0000000a'),
  name: 'sky.png',
  mime: 'image/png',
  bytes: 10,
  width: 40,
  height: 30,
  sha256: 'a'.repeat(64),
  path: '/data/attachments/conv/aaaa.png',
};

const invocation: Invocation = {
  cwd: '/work-tree',
  prompt: 'hello',
  timeoutMs: 1_000,
  allowWrite: false,
  sessions: true,
  artifactsDir: '/data/artifacts/run-20261201-100000-0000000a',
  stem: 'turn-1',
  run: runId.parse('run-20261201-100000-0000000a'),
  node: 'chat',
  attachments: [image.path],
};

const seat: SeatTurn = {
  access: 'read-only',
  model: null,
  sessionId: null,
  mintedSessionId: '11111111-2222-4333-8444-555555555555',
  images: [image],
  definition: null,
};

const executable = { program: '/usr/bin/node', args: ['/app/guide.mjs'], env: { ELECTRON_RUN_AS_NODE: '1' } };

const ending: Ending = {
  exit: { code: 0, signal: null },
  report: { finished: true, error: null },
  stderrTail: '',
  stdoutTail: '',
  resuming: null,
  sessionReported: true,
  answered: true,
  model: null,
  at: 0,
  definition: null,
};

describe('the command line of the Guide', () => {
  it('hands over each image, and keeps sessions in the data directory', () => {
    expect(guide.command(invocation, seat, executable)).toEqual({
      program: '/usr/bin/node',
      args: [
        '/app/guide.mjs',
        'exec',
        '--json',
        '--skip-git-repo-check',
        '-C',
        '/work-tree',
        '-s',
        'read-only',
        '-i',
        image.path,
        '-',
      ],
      stdin: 'prompt',
      env: { ELECTRON_RUN_AS_NODE: '1', PARLEY_GUIDE_HOME: '/data/guide' },
      grants: [],
      routes: ['flag'],
      caveats: [],
    });
  });

  it('continues the seat’s session by its id, unless sessions are off', () => {
    const resumed = { ...seat, sessionId: 'S', images: [] };
    expect(guide.command(invocation, resumed, executable).args.slice(-3)).toEqual(['resume', 'S', '-']);
    expect(guide.command({ ...invocation, sessions: false }, resumed, executable).args).not.toContain('resume');
  });
});

describe('the recorded turns of the Guide', () => {
  const replay = (name: string, resuming: string | null) =>
    readLines(guide.reader({ resuming, definition: null }), linesOf(readRecording('guide', name).stdout));

  it('read as a session, evidence named after the Guide, and an answer', () => {
    const { events, report } = replay('first-turn', null);
    expect(report).toEqual({ finished: true, error: null });
    expect(events[0]).toMatchObject({ type: 'session', how: 'fresh' });
    expect(evidenceOf(events).map(({ description, exitCode, source }) => [description, exitCode, source])).toEqual([
      ['git rev-parse --show-toplevel', 0, 'guide'],
      ['ls -p', 0, 'guide'],
      ['git log -5 --oneline', 0, 'guide'],
      ['git status --short --ignored', 0, 'guide'],
    ]);
    expect(answerIn(events)).toContain('**sky.png**: PNG image, 40 × 30 px');
  });

  it('read as resumed when the id is the one that was asked for', () => {
    const session = replay('first-turn', null).events.find((event) => event.type === 'session');
    const { events } = replay('resumed-turn', session?.sessionId ?? null);
    expect(events[0]).toEqual({ ...session, how: 'resumed' });
  });

  it('keep the exit code of a command that failed', () => {
    expect(evidenceOf(replay('no-repository', null).events).map(({ exitCode }) => exitCode)).toEqual([128, 0, 128]);
  });
});

describe('why a turn of the Guide did not complete', () => {
  it('is nothing when it answered', () => {
    expect(guide.explain(ending)).toBeNull();
    expect(guide.explain({ ...ending, answered: false })).toEqual({ kind: 'no-answer' });
  });

  it('is its exit otherwise, with what it said', () => {
    const crashed = { ...ending, exit: { code: 1, signal: null }, report: { finished: false, error: null } };
    expect(guide.explain({ ...crashed, stderrTail: 'x\nError: no space left\n' })).toEqual({
      kind: 'exit',
      code: 1,
      signal: null,
      detail: 'no space left',
    });
    expect(guide.explain({ ...crashed, exit: { code: null, signal: 'SIGKILL' } })).toEqual({
      kind: 'exit',
      code: null,
      signal: 'SIGKILL',
      detail: null,
    });
  });
});
