import { useSyncExternalStore } from 'react';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A clock that ticks only while somebody looks at it. */
function createClock(periodMs: number) {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const each of listeners) each();
        }, periodMs);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    read: () => now,
  };
}

const seconds = createClock(SECOND_MS);
const minutes = createClock(MINUTE_MS);

/** The time now, ms since the epoch, renewed every second or minute. */
export function useNow(every: 'second' | 'minute'): number {
  const clock = every === 'second' ? seconds : minutes;
  return useSyncExternalStore(clock.subscribe, clock.read);
}
