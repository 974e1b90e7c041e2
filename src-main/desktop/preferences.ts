import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import Store from 'electron-store';
import type { CallParsed } from '../../src-shared/api.ts';
import { type Preferences, preferences } from '../../src-shared/preferences.ts';

export interface PreferenceStore {
  get(): Preferences;
  /** Changes the fields that are named; what is stored is what comes back. */
  change(change: CallParsed<'setPreferences'>['preferences']): Preferences;
}

interface Opened {
  store: PreferenceStore;
  /** A sentence for the operator when the settings could not be read and were set aside. */
  notice: string | null;
}

const NAME = 'settings';

/** Opens `settings.json` in the data directory. One that cannot be read is set aside, never overwritten. */
export function openPreferences(dataDirectory: string, now: number): Opened {
  const file = path.join(dataDirectory, `${NAME}.json`);
  // Variables of agents are in it: for its owner only.
  const open = () => new Store<Record<string, unknown>>({ cwd: dataDirectory, name: NAME, configFileMode: 0o600 });
  const readable = () => {
    const store = open();
    return { store, parsed: preferences.safeParse(store.store) };
  };
  let notice: string | null = null;
  let opened: ReturnType<typeof readable> | null = null;
  try {
    opened = readable();
  } catch {
    // Not JSON at all: handled like JSON that is not settings.
  }
  if (opened === null || !opened.parsed.success) {
    if (existsSync(file)) {
      const aside = path.join(dataDirectory, `${NAME}.unreadable-${now}.json`);
      renameSync(file, aside);
      notice = `The settings could not be read and were set back. The old file is ${aside}.`;
    }
    opened = readable();
  }
  const { store } = opened;
  let current = opened.parsed.success ? opened.parsed.data : preferences.parse({});

  return {
    notice,
    store: {
      get: () => current,
      change(change) {
        // `null` takes an optional setting away; what is left out stays.
        const merged: Record<string, unknown> = { ...current, ...change };
        for (const name of ['defaultTimeoutMs', 'buildCache'] as const) if (merged[name] === null) delete merged[name];
        const next = preferences.parse(merged);
        store.store = next;
        current = next;
        return next;
      },
    },
  };
}
