import { DEFAULT_WINDOW_HEIGHT, DEFAULT_WINDOW_WIDTH, MIN_WINDOW_HEIGHT, MIN_WINDOW_WIDTH } from './limits.ts';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Part of a window, px, that must lie on some display so that it can be taken hold of. */
const GRIP = 80;

/**
 * Bounds to open with: the remembered ones if they can still be seen and reached on the displays that there are, else a
 * default size that fits, placed by the system.
 */
export function restoreBounds(
  remembered: Rectangle | undefined,
  displays: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  const first = displays[0];
  const width = Math.min(DEFAULT_WINDOW_WIDTH, first?.width ?? DEFAULT_WINDOW_WIDTH);
  const height = Math.min(DEFAULT_WINDOW_HEIGHT, first?.height ?? DEFAULT_WINDOW_HEIGHT);
  if (remembered === undefined) return { width, height };
  const reachable = displays.some(
    (display) =>
      remembered.x + remembered.width >= display.x + GRIP &&
      remembered.x <= display.x + display.width - GRIP &&
      remembered.y >= display.y &&
      remembered.y <= display.y + display.height - GRIP,
  );
  if (!reachable) return { width, height };
  return {
    x: remembered.x,
    y: remembered.y,
    width: Math.max(remembered.width, MIN_WINDOW_WIDTH),
    height: Math.max(remembered.height, MIN_WINDOW_HEIGHT),
  };
}
