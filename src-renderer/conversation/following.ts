/** So near to the end, in CSS pixels, counts as being there. */
export const END_TOLERANCE = 24;
/** A scroll that comes so soon after a key, wheel or pointer, in ms, was made by the operator. */
const INTENT_MS = 500;

export interface ScrollState {
  readonly top: number;
  readonly height: number;
  readonly viewport: number;
}

export function isAtEnd({ top, height, viewport }: ScrollState): boolean {
  return height - top - viewport <= END_TOLERANCE;
}

/**
 * Whether a transcript goes on following its end after it has scrolled. Going up is a wish to stay, but the browser and
 * the windowed list also move it up a little, when what was estimated turns out smaller. So a step up counts when the
 * operator has just touched something, or when it is more than a page while the content kept its height: a correction of
 * an estimate changes that as well, however far it goes.
 */
export function followsAfterScroll(
  follows: boolean,
  now: ScrollState,
  last: Pick<ScrollState, 'top' | 'height'>,
  sinceIntentMs: number,
): boolean {
  if (isAtEnd(now)) return true;
  const up = last.top - now.top;
  if (up <= 0) return follows;
  const isCorrection = up < now.viewport || now.height !== last.height;
  return follows && sinceIntentMs > INTENT_MS && isCorrection;
}
