import { create } from 'zustand';
import type { CallOutput } from '../../src-shared/api.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { SecretScope } from '../../src-shared/preferences.ts';
import { loadAgents } from './agents.ts';
import { call } from './bridge.ts';
import { tellFailure } from './notices.ts';

interface SecretsState {
  /** Where secrets are kept; `null` until that is known. */
  storage: CallOutput<'secretStorage'> | null;
  /** Names of which a value is kept, by scope. Values never come here. */
  kept: Readonly<Record<string, readonly string[]>>;
}

export const useSecrets = create<SecretsState>()(() => ({ storage: null, kept: {} }));

export async function loadSecrets(scope: SecretScope): Promise<void> {
  const [storage, listed] = await Promise.all([call('secretStorage', {}), call('listSecrets', { scope })]);
  if (storage.ok) useSecrets.setState({ storage: storage.value });
  if (listed.ok) useSecrets.setState(({ kept }) => ({ kept: { ...kept, [scope]: listed.value.names } }));
  else tellFailure(listed.error);
}

/** Keeps the value of a secret variable; `null` forgets it. */
export async function keepSecret(scope: SecretScope, name: string, value: string | null): Promise<Failure | null> {
  const result = await call('setSecret', { scope, name, value });
  // An agent may be signed in by it.
  await Promise.all([loadSecrets(scope), loadAgents(false)]);
  return result.ok ? null : result.error;
}
