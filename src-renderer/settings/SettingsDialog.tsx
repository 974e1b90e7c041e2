import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { Preferences } from '../../src-shared/preferences.ts';
import { usePreferences } from '../state/preferences.ts';
import { closeDialog, type SettingsSection } from '../state/stage.ts';
import { Dialog } from '../ui/index.ts';
import { AgentsSection } from './AgentsSection.tsx';
import { CommandsSection } from './commands/index.tsx';
import { GeneralSection } from './GeneralSection.tsx';

const SECTIONS: readonly { value: SettingsSection; label: string }[] = [
  { value: 'general', label: 'General' },
  { value: 'agents', label: 'Agents' },
  { value: 'commands', label: 'Commands' },
];

/** What the operator can set, and how the agents stand on this machine. */
export function SettingsDialog({ section = 'general' }: { section?: SettingsSection | undefined }) {
  const preferences = usePreferences((state) => state.preferences);
  const [shown, setShown] = useState(section);
  return (
    <Dialog open onOpenChange={closeDialog} title="Settings" width="wide" isTall>
      <Tabs.Root
        value={shown}
        onValueChange={(value) => {
          const chosen = SECTIONS.find((candidate) => candidate.value === value);
          if (chosen !== undefined) setShown(chosen.value);
        }}
      >
        <Tabs.List
          aria-label="Settings"
          // Stays in sight while a long section is scrolled.
          className="sticky -top-2 z-10 flex gap-0.5 border-b border-line bg-pane"
        >
          {SECTIONS.map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="border-b-2 border-transparent px-2.5 pt-1.5 pb-2 text-sm text-ink-2 outline-offset-[-2px] hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {SECTIONS.map(({ value }) => (
          // Everything in a section can be reached by itself; the panel need not be.
          <Tabs.Content key={value} value={value} tabIndex={-1} className="pt-4 pb-4 outline-none">
            <Section section={value} preferences={preferences} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Dialog>
  );
}

function Section({ section, preferences }: { section: SettingsSection; preferences: Preferences }): ReactNode {
  switch (section) {
    case 'general':
      return <GeneralSection preferences={preferences} />;
    case 'agents':
      return <AgentsSection preferences={preferences} />;
    case 'commands':
      return <CommandsSection commands={preferences.commands} />;
    default:
      return section satisfies never;
  }
}
