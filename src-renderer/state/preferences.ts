import { create } from 'zustand';
import type { CallInput } from '../../src-shared/api.ts';
import { type Preferences, preferences as schema } from '../../src-shared/preferences.ts';
import { call } from './bridge.ts';
import { tellFailure } from './notices.ts';

interface PreferencesState {
  preferences: Preferences;
}

/** The operator's settings; the desktop keeps them. */
export const usePreferences = create<PreferencesState>()(() => ({ preferences: schema.parse({}) }));

export async function loadPreferences(): Promise<void> {
  const result = await call('getPreferences', {});
  if (result.ok) usePreferences.setState({ preferences: result.value.preferences });
  else tellFailure(result.error);
}

export async function changePreferences(change: CallInput<'setPreferences'>['preferences']): Promise<void> {
  const result = await call('setPreferences', { preferences: change });
  if (result.ok) usePreferences.setState({ preferences: result.value.preferences });
  else tellFailure(result.error);
}
