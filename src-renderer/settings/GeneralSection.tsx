import type { Preferences } from '../../src-shared/preferences.ts';
import { useAbout } from '../state/about.ts';
import { IS_MAC } from '../state/platform.ts';
import { changePreferences } from '../state/preferences.ts';
import { RadioRow } from '../ui/index.ts';
import { BuildCache } from './BuildCache.tsx';
import { IdleLimit } from './IdleLimit.tsx';
import { TimeLimit } from './TimeLimit.tsx';

const SEND_WORDS = IS_MAC ? '⌘Enter' : 'Ctrl+Enter';

/** What is set for all conversations and agents. */
export function GeneralSection({ preferences }: { preferences: Preferences }) {
  const about = useAbout((state) => state.about);
  return (
    <section aria-label="General" className="space-y-5">
      <RadioRow
        label="Theme"
        value={preferences.theme}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChange={(theme) => void changePreferences({ theme })}
      />
      <RadioRow
        label="Send with"
        value={preferences.sendKey}
        options={[
          { value: 'enter', label: 'Enter', hint: 'Shift+Enter breaks the line' },
          { value: 'mod-enter', label: SEND_WORDS, hint: 'Enter breaks the line' },
        ]}
        onChange={(sendKey) => void changePreferences({ sendKey })}
      />
      <TimeLimit stored={preferences.defaultTimeoutMs} />
      <IdleLimit stored={preferences.defaultIdleTimeoutMs} />
      <BuildCache stored={preferences.buildCache} />
      {about !== null && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line pt-3 text-sm">
          <dt className="text-ink-3">Parley</dt>
          <dd className="machine">{about.version}</dd>
          <dt className="text-ink-3">Data</dt>
          <dd className="machine wrap-anywhere select-text">{about.dataDirectory}</dd>
        </dl>
      )}
    </section>
  );
}
