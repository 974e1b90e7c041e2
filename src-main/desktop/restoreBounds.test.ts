import { describe, expect, it } from 'vitest';
import { DEFAULT_WINDOW_HEIGHT, DEFAULT_WINDOW_WIDTH, MIN_WINDOW_HEIGHT, MIN_WINDOW_WIDTH } from './limits.ts';
import { restoreBounds } from './restoreBounds.ts';

const large = { x: 0, y: 0, width: 2_560, height: 1_440 };
const second = { x: 2_560, y: 0, width: 1_920, height: 1_080 };
const remembered = { x: 2_700, y: 100, width: 1_000, height: 700 };

describe('where the window opens', () => {
  it('where it was, while that display is there', () => {
    expect(restoreBounds(remembered, [large, second])).toEqual(remembered);
  });

  it('by the system’s choice when its display is gone', () => {
    expect(restoreBounds(remembered, [large])).toEqual({ width: DEFAULT_WINDOW_WIDTH, height: DEFAULT_WINDOW_HEIGHT });
  });

  it('not where its title bar could not be reached', () => {
    const above = { ...remembered, y: -500 };
    expect(restoreBounds(above, [large, second])).not.toHaveProperty('x');
  });

  it('never larger than a small display, never smaller than the least', () => {
    const small = { x: 0, y: 0, width: 1_024, height: 700 };
    expect(restoreBounds(undefined, [small])).toEqual({ width: 1_024, height: 700 });
    const tiny = restoreBounds({ x: 10, y: 10, width: 100, height: 50 }, [large]);
    expect(tiny).toMatchObject({ width: MIN_WINDOW_WIDTH, height: MIN_WINDOW_HEIGHT });
  });
});
