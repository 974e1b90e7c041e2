import { create } from 'zustand';
import type { CallInput, CallOutput } from '../../src-shared/api.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { call } from './bridge.ts';

type Subject = CallInput<'tryAgent'>;

export type Trial =
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'ended'; readonly result: CallOutput<'tryAgent'> }
  | { readonly state: 'refused'; readonly failure: Failure };

/** The last trial of each agent and of each of the operator's commands; one goes on when nobody looks. */
const useTrials = create<{ trials: Readonly<Record<string, Trial>> }>()(() => ({ trials: {} }));

const keyOf = ({ agent, definitionId }: Subject) => definitionId ?? agent;

export function useTrial(subject: Subject): Trial | undefined {
  return useTrials(({ trials }) => trials[keyOf(subject)]);
}

/** Runs one real turn of an agent, unless one runs already. */
export async function startTrial(subject: Subject): Promise<void> {
  const key = keyOf(subject);
  if (useTrials.getState().trials[key]?.state === 'running') return;
  const show = (trial: Trial) => useTrials.setState(({ trials }) => ({ trials: { ...trials, [key]: trial } }));
  show({ state: 'running', since: Date.now() });
  const result = await call('tryAgent', subject);
  show(result.ok ? { state: 'ended', result: result.value } : { state: 'refused', failure: result.error });
}
