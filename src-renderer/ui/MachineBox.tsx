import { classes } from './classes.ts';

/** Text that a machine printed, in a box that scrolls by itself and can be reached by keyboard. */
export function MachineBox({ label, text, className }: { label: string; text: string; className?: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classes('max-h-72 overflow-auto bg-code px-3 py-2 outline-offset-[-2px]', className)}
    >
      <pre className="machine whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </section>
  );
}
