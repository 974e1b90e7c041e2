import { useAbout } from '../state/about.ts';
import { IS_MAC } from '../state/platform.ts';
import { changePreferences, usePreferences } from '../state/preferences.ts';
import { closeDialog } from '../state/stage.ts';
import { Dialog, RadioRow } from '../ui/index.ts';
import { AgentsSection } from './AgentsSection.tsx';
import { TimeLimit } from './TimeLimit.tsx';

const SEND_WORDS = IS_MAC ? '⌘Enter' : 'Ctrl+Enter';

/** What the operator can set, and how the agents stand on this machine. */
export function SettingsDialog() {
  const preferences = usePreferences((state) => state.preferences);
  const about = useAbout((state) => state.about);
  return (
    <Dialog open onOpenChange={closeDialog} title="Settings" width="normal">
      <div className="space-y-5 pb-4">
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
        <AgentsSection executables={preferences.executables} />
        {about !== null && (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line pt-3 text-sm">
            <dt className="text-ink-3">Parley</dt>
            <dd className="machine">{about.version}</dd>
            <dt className="text-ink-3">Data</dt>
            <dd className="machine wrap-anywhere select-text">{about.dataDirectory}</dd>
          </dl>
        )}
      </div>
    </Dialog>
  );
}
