import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { classes } from './classes.ts';

const WIDTHS = { narrow: 'max-w-md', normal: 'max-w-xl', wide: 'max-w-4xl' } as const;

/** A modal dialog; its title is its accessible name. Esc and the cross close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  width = 'normal',
  isTall = false,
  children,
  footer,
  onClosed,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  width?: keyof typeof WIDTHS;
  /** As high as the window lets it, whatever it holds: what it holds changes while it is open. */
  isTall?: boolean;
  children: ReactNode;
  footer?: ReactNode;
  /** Called before the focus goes back to where it was; `preventDefault` keeps it from going there. */
  onClosed?: (event: Event) => void;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...(onClosed === undefined ? {} : { onCloseAutoFocus: onClosed })}
          className={classes(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100vh-3rem)] w-[calc(100vw-3rem)] -translate-1/2',
            'flex-col rounded-2xl border border-line bg-pane shadow-floating',
            WIDTHS[width],
            isTall && 'h-full',
          )}
        >
          <header className="py-2 pt-4 pr-14 pl-5">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="text-sm text-ink-2">{description}</Radix.Description>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-auto px-5 py-2">{children}</div>
          {footer !== undefined && <footer className="flex justify-end gap-2 px-5 pt-2 pb-4">{footer}</footer>}
          {/* Last, so that the focus begins in the content. */}
          <Radix.Close asChild>
            <IconButton label="Close" icon={<X size={16} />} className="absolute top-3 right-3" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
