import { create } from 'zustand';
import type { CallInput } from '../../src-shared/api.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { InvocationState } from '../../src-shared/fold.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { call } from './bridge.ts';
import { tellFailure } from './notices.ts';

export type TrialSubject = CallInput<'startTrial'>;

/** `conversationId` is `null` until the trial's conversation is there. */
export type Trial =
  | { readonly state: 'running'; readonly since: number; readonly conversationId: ConversationId | null }
  | {
      readonly state: 'ended';
      readonly conversationId: ConversationId;
      readonly invocation: InvocationState | undefined;
    }
  | { readonly state: 'refused'; readonly failure: Failure };

/** The last trial of each agent and of each of the operator's commands; one goes on when nobody looks. */
const useTrials = create<{ trials: Readonly<Record<string, Trial>> }>()(() => ({ trials: {} }));

const keyOf = ({ agent, definitionId }: TrialSubject) => definitionId ?? agent;

export function useTrial(subject: TrialSubject): Trial | undefined {
  return useTrials(({ trials }) => trials[keyOf(subject)]);
}

/** Runs one real turn of an agent, unless one runs already. */
export async function startTrial(subject: TrialSubject): Promise<void> {
  const key = keyOf(subject);
  if (useTrials.getState().trials[key]?.state === 'running') return;
  const show = (trial: Trial) => useTrials.setState(({ trials }) => ({ trials: { ...trials, [key]: trial } }));
  const since = Date.now();
  show({ state: 'running', since, conversationId: null });
  const begun = await call('startTrial', subject);
  if (!begun.ok) {
    show({ state: 'refused', failure: begun.error });
    return;
  }
  const { conversationId, turnId } = begun.value;
  show({ state: 'running', since, conversationId });
  const ended = await call('awaitTurn', { turnId });
  if (ended.ok) show({ state: 'ended', conversationId, invocation: ended.value.turn.invocations[0] });
  else show({ state: 'refused', failure: ended.error });
}

export async function stopTrial(conversationId: ConversationId): Promise<void> {
  const stopped = await call('stopTurn', { conversationId });
  if (!stopped.ok) tellFailure(stopped.error);
}
