import { describe, expect, it } from 'vitest';
import type { EventPayload } from '../../src-shared/api.ts';
import { emptyInvocationState } from '../../src-shared/fold.ts';
import { conversationId, invocationId, runId, turnId } from '../../src-shared/ids.ts';
import { createFinishedWork } from './finishedWork.ts';

const suffix = '20260101-000000-00000000';
const conversation = conversationId.parse(`conv-${suffix}`);

type Turn = EventPayload<'turn'>['turn'];
function turn(state: Turn['state']): { name: 'turn'; payload: { turn: Turn } } {
  const invocation = {
    ...emptyInvocationState(invocationId.parse(`inv-${suffix}`)),
    outcome: state === 'ended' ? ({ kind: 'completed' } as const) : null,
  };
  return {
    name: 'turn',
    payload: {
      turn: {
        id: turnId.parse(`turn-${suffix}`),
        conversationId: conversation,
        position: 0,
        run: runId.parse(`run-${suffix}`),
        state,
        text: 'hello',
        attachments: [],
        startAt: null,
        seatIds: [],
        invocations: [invocation],
        createdAt: 0,
      },
    },
  };
}

describe('finished work', () => {
  it('is told once, when a turn that was running has ended', () => {
    const follow = createFinishedWork();
    expect(follow(turn('queued'))).toBeNull();
    expect(follow(turn('running'))).toBeNull();
    expect(follow(turn('running'))).toBeNull();
    expect(follow(turn('ended'))).toEqual({ title: 'Parley', body: 'The agent finished.' });
    expect(follow(turn('ended'))).toBeNull();
  });

  it('is not told of a turn that was never seen running', () => {
    expect(createFinishedWork()(turn('ended'))).toBeNull();
  });

  it('is called by the conversation’s title', () => {
    const follow = createFinishedWork();
    follow({
      name: 'conversation',
      payload: {
        conversation: {
          id: conversation,
          kind: 'chat',
          title: 'Fix the login',
          titled: true,
          cwd: '/',
          agents: ['codex'],
          createdAt: 0,
          updatedAt: 0,
          running: 1,
          queued: 0,
          attention: 'none',
        },
      },
    });
    follow(turn('running'));
    expect(follow(turn('ended'))?.title).toBe('Fix the login');
  });
});
