import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { clamp } from '../state/panes.ts';

/** How far an arrow key moves a splitter, in CSS pixels. */
const KEY_STEP = 16;

/** The edge between two panes: dragged with the pointer, moved with the arrow keys, reset by a double click. */
export function Splitter({
  label,
  width,
  limits,
  side,
  onResize,
}: {
  label: string;
  width: number;
  limits: { min: number; initial: number; max: number };
  /** On which side of the splitter the pane lies that it sizes. */
  side: 'left' | 'right';
  onResize: (width: number) => void;
}) {
  const grip = useRef<{ x: number; width: number } | null>(null);
  const sign = side === 'left' ? 1 : -1;
  const resize = (to: number) => onResize(clamp(Math.round(to), limits.min, limits.max));

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX, width };
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (grip.current !== null) resize(grip.current.width + sign * (event.clientX - grip.current.x));
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'ArrowLeft') resize(width - sign * KEY_STEP);
    else if (event.key === 'ArrowRight') resize(width + sign * KEY_STEP);
    else if (event.key === 'Home') resize(limits.min);
    else if (event.key === 'End') resize(limits.max);
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be a focusable splitter
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grip.current = null;
      }}
      onDoubleClick={() => resize(limits.initial)}
      onKeyDown={onKeyDown}
      className="relative z-10 -mx-1 w-2 shrink-0 cursor-col-resize touch-none before:absolute before:inset-y-0 before:left-1 before:w-px before:bg-line hover:before:bg-accent focus-visible:before:bg-accent"
    />
  );
}
