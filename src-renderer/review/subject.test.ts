import { describe, expect, it } from 'vitest';
import { type ConversationSnapshot, conversationSnapshot } from '../../src-shared/conversations.ts';
import { emptyInvocationState } from '../../src-shared/fold.ts';
import { conversationId, invocationId } from '../../src-shared/ids.ts';
import { viewOf } from '../state/view.ts';
import { formatBytes, quoteArgument } from './format.ts';
import { standing, subjectOf, subjects } from './subject.ts';

const CONVERSATION = conversationId.parse('conv-20260101-000000-00000001');
const FIRST = invocationId.parse('inv-20260101-000000-00000001');
const SECOND = invocationId.parse('inv-20260101-000001-00000002');

function snapshot(): ConversationSnapshot {
  const seatIds = ['seat-20260101-000000-00000001'];
  const turn = (position: number, invocation: string) => ({
    id: `turn-20260101-00000${position}-0000000${position}`,
    conversationId: CONVERSATION,
    position,
    run: `run-20260101-00000${position}-0000000${position}`,
    state: 'ended',
    text: 'hello',
    attachments: [],
    seatIds,
    invocations: [emptyInvocationState(invocationId.parse(invocation))],
    startAt: null,
    createdAt: position,
  });
  return conversationSnapshot.parse({
    conversation: {
      id: CONVERSATION,
      kind: 'chat',
      title: 'hello',
      titled: false,
      cwd: '/tmp',
      agents: ['guide'],
      createdAt: 0,
      updatedAt: 0,
      running: 0,
      queued: 0,
      attention: 'none',
    },
    seats: [
      {
        id: seatIds[0],
        conversationId: CONVERSATION,
        position: 0,
        agent: 'guide',
        name: 'Guide',
        model: null,
        access: 'read-only',
        role: 'chat',
        definitionId: null,
        timeoutMs: 1_000,
        idleTimeoutMs: null,
        sessionId: null,
        freshBecause: 'first-turn',
        replayNext: false,
      },
    ],
    turns: [turn(0, FIRST), turn(1, SECOND)],
    earlierTurns: 0,
    draft: { text: '', attachments: [] },
    clocks: [],
    cwdExists: true,
  });
}

describe('what is under review', () => {
  const view = viewOf(snapshot());

  it('lists what has run, newest first, with the seat it ran for', () => {
    expect(subjects(view).map(({ state, seat }) => [state.invocationId, seat?.name])).toEqual([
      [SECOND, 'Guide'],
      [FIRST, 'Guide'],
    ]);
  });

  it('is the latest unless another one is chosen and there', () => {
    expect(subjectOf(view, null)?.state.invocationId).toBe(SECOND);
    expect(subjectOf(view, FIRST)?.state.invocationId).toBe(FIRST);
    expect(subjectOf(view, invocationId.parse('inv-20260101-000009-00000009'))?.state.invocationId).toBe(SECOND);
    expect(subjectOf(null, FIRST)).toBeNull();
  });

  it('says how an invocation stands', () => {
    const state = emptyInvocationState(FIRST);
    expect(standing(state)).toBe('starting');
    expect(standing({ ...state, outcome: { kind: 'cancelled', ended: [] } })).toBe('stopped');
    expect(standing({ ...state, outcome: { kind: 'interrupted', ended: [] } })).toBe('interrupted');
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KiB'],
    [10 * 1024, '10 KiB'],
    [1024 * 1024, '1.0 MiB'],
    [5 * 1024 ** 4, '5120 GiB'],
  ])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe('quoteArgument', () => {
  it('leaves plain arguments as they are and quotes the others for a shell', () => {
    expect(quoteArgument('--json')).toBe('--json');
    expect(quoteArgument('')).toBe("''");
    expect(quoteArgument('a b')).toBe("'a b'");
    expect(quoteArgument("it's $HOME")).toBe("'it'\\''s $HOME'");
  });
});
