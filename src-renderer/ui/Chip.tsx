import type { ReactNode } from 'react';
import { classes } from './classes.ts';

type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'unknown';

const TONES: Readonly<Record<Tone, string>> = {
  plain: 'border-line bg-raised text-ink-2',
  good: 'border-transparent bg-accent-soft text-accent',
  bad: 'border-transparent bg-bad-soft text-bad',
  warn: 'border-transparent bg-warn-soft text-warn',
  unknown: 'border-dashed border-line-strong text-ink-3',
};

/** A small fact. */
export function Chip({
  tone = 'plain',
  icon,
  title,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={classes('inline-flex items-center gap-1.5 rounded-md border px-1.5 py-px text-sm', TONES[tone])}
    >
      {icon}
      {children}
    </span>
  );
}

/** The exit code of a command. `null` is "not reported": never shown as success. */
export function ExitChip({ exitCode, short = false }: { exitCode: number | null; short?: boolean }) {
  const tone = exitCode === null ? 'unknown' : exitCode === 0 ? 'good' : 'bad';
  const text = exitCode === null ? 'not reported' : String(exitCode);
  return (
    <span
      className={classes(
        'inline-block rounded-sm border px-1.5 py-px font-mono text-2xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      {short ? text : `exit ${text}`}
    </span>
  );
}
