import { classes } from './classes.ts';

/** A shortcut, as this platform writes it. */
export function Keys({ keys, inverted = false }: { keys: string; inverted?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        'rounded-sm px-1 font-mono text-2xs whitespace-nowrap',
        inverted ? 'text-pane' : 'border border-line bg-pane text-ink-3',
      )}
    >
      {keys}
    </span>
  );
}
