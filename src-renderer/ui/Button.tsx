import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './Tooltip.tsx';

type Look = 'plain' | 'primary' | 'quiet' | 'danger';

const LOOKS: Readonly<Record<Look, string>> = {
  plain: 'border border-line-strong bg-raised text-ink hover:bg-code',
  primary: 'border border-transparent bg-accent text-accent-ink font-semibold hover:brightness-105',
  quiet: 'border border-transparent text-ink-2 hover:bg-code hover:text-ink',
  danger: 'border border-bad text-bad bg-raised hover:bg-bad-soft',
};

const SIZES = {
  small: 'min-h-6 rounded-md px-2 text-sm',
  normal: 'min-h-8 rounded-lg px-3 text-base',
} as const;

export type ButtonProps = ComponentProps<'button'> & { look?: Look; size?: keyof typeof SIZES };

/** A button that does what its words say. */
export function Button({ look = 'plain', size = 'normal', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classes(
        'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap',
        'disabled:pointer-events-none disabled:opacity-50',
        LOOKS[look],
        SIZES[size],
        className,
      )}
      {...rest}
    />
  );
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** Its accessible name, and the tooltip's text. */
  label: string;
  icon: ReactNode;
  shortcut?: string | undefined;
};

/** A button that is only an icon: named, with a tooltip, at least 24 px a side. */
export function IconButton({ label, icon, shortcut, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type={type}
        aria-label={label}
        className={classes(
          'inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-2',
          'hover:bg-code hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent',
          'disabled:pointer-events-none disabled:opacity-50',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
