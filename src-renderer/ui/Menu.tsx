import { ContextMenu as RadixContext } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Keys } from './Keys.tsx';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  shortcut?: string | undefined;
  look?: 'plain' | 'danger';
  disabled?: boolean;
  onSelect: () => void;
}

const SURFACE = 'z-50 min-w-44 rounded-lg border border-line bg-raised p-1 shadow-floating';

function entryClass(entry: MenuEntry): string {
  return classes(
    'flex min-h-7 items-center gap-2 rounded-md px-2 text-sm outline-none select-none',
    'data-highlighted:bg-accent-soft data-disabled:opacity-50',
    entry.look === 'danger' ? 'text-bad data-highlighted:bg-bad-soft' : 'text-ink',
  );
}

/** What a right click (or the context-menu key) on `children` offers. */
export function ContextMenu({ entries, children }: { entries: readonly MenuEntry[]; children: ReactElement }) {
  return (
    <RadixContext.Root>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content collisionPadding={8} className={SURFACE}>
          {entries.map((entry) => (
            <RadixContext.Item
              key={entry.label}
              disabled={entry.disabled ?? false}
              onSelect={entry.onSelect}
              className={entryClass(entry)}
            >
              {entry.icon}
              <span className="flex-1">{entry.label}</span>
              {entry.shortcut !== undefined && <Keys keys={entry.shortcut} />}
            </RadixContext.Item>
          ))}
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  );
}
