import type { Attachment } from '../../../src-shared/attachments.ts';
import { attachmentId, conversationId, runId } from '../../../src-shared/ids.ts';
import type { Ending, Invocation, SeatTurn } from './agent.ts';

/** For tests: what agents are given, complete, with what a test cares about named by it. */

/** The id of a session that a seat could continue. */
export const SESSION = '01900000-0000-4000-8000-000000000000';
/** The id that Parley made for a new session. */
export const MINTED = '02900000-0000-4000-8000-000000000000';

export function invocation(fields: Partial<Invocation> = {}): Invocation {
  return {
    cwd: '/src/shop',
    prompt: '--help',
    timeoutMs: 1_000,
    allowWrite: false,
    sessions: true,
    artifactsDir: '/data/artifacts/run-1',
    stem: 'chat',
    run: runId.parse('run-20260101-000000-00000000'),
    node: 'chat',
    attachments: [],
    ...fields,
  };
}

export function seat(fields: Partial<SeatTurn> = {}): SeatTurn {
  return {
    access: 'read-only',
    model: null,
    sessionId: null,
    mintedSessionId: MINTED,
    images: [],
    definition: null,
    ...fields,
  };
}

export function image(path: string): Attachment {
  return {
    id: attachmentId.parse('att-20260101-000000-00000000'),
    conversationId: conversationId.parse('conv-20260101-000000-00000000'),
    name: 'a.png',
    mime: 'image/png',
    bytes: 1,
    width: 1,
    height: 1,
    sha256: '0'.repeat(64),
    path,
  };
}

/** A process that exited well and said nothing. */
export const SILENT: Ending = {
  exit: { code: 0, signal: null },
  report: { finished: false, error: null },
  stderrTail: '',
  stdoutTail: '',
  resuming: null,
  sessionReported: false,
  answered: false,
  model: null,
  at: 0,
  definition: null,
};
