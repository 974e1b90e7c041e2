import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Keys } from './Keys.tsx';

/** How long the pointer rests before a tooltip opens, ms. */
const OPEN_DELAY_MS = 500;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={OPEN_DELAY_MS} disableHoverableContent>
      {children}
    </Radix.Provider>
  );
}

/** Names what is under the pointer or focused, with its shortcut. Never the only place where something is said. */
export function Tooltip({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string | undefined;
  children: ReactElement;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-pane"
        >
          {text}
          {shortcut !== undefined && <Keys keys={shortcut} inverted />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
