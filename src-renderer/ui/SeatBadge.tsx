import type { CSSProperties } from 'react';

/** A seat's letter on its hue. Decoration: whoever shows it says the seat's name in text, too. */
export function SeatBadge({ letter, hue }: { letter: string; hue: number }) {
  const style: CSSProperties = {
    background: `oklch(var(--seat-lightness) var(--seat-chroma) ${hue})`,
    color: 'var(--seat-ink)',
  };
  return (
    <span
      aria-hidden="true"
      style={style}
      className="inline-grid size-5 shrink-0 place-items-center rounded-md text-2xs leading-none font-semibold"
    >
      {letter}
    </span>
  );
}

/** A dot that breathes while something works. Decoration beside text that says so. */
export function WorkingDot() {
  return <span aria-hidden="true" className="inline-block size-2 shrink-0 animate-breathe rounded-full bg-accent" />;
}
