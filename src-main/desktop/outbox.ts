import type { BridgeEvent } from '../../src-shared/api.ts';
import { EVENT_INTERVAL_MS, MAX_EVENT_MESSAGE_BYTES, MAX_PENDING_LIVE_BYTES } from './limits.ts';

type LiveEvent = Extract<BridgeEvent, { name: 'live' }>;

export interface Clock {
  now(): number;
  /** Calls back once after `ms`; returns a function that prevents it. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export interface Outbox {
  add(event: BridgeEvent): void;
  /** Forgets what was not sent: the page that it was meant for is gone. */
  clear(): void;
}

/**
 * Gathers events for the window: at most one message a frame, bounded in bytes, in order. Only raw output is ever
 * skipped; the next chunk's offset shows that it was, or an empty chunk at the end of what was skipped.
 */
export function createOutbox(send: (batch: BridgeEvent[]) => void, clock: Clock = systemClock): Outbox {
  let pending: { event: BridgeEvent; bytes: number }[] = [];
  let pendingLiveBytes = 0;
  /** Where the output that was skipped last ends, by stream; told when nothing newer shows the gap. */
  const skipped = new Map<string, LiveEvent>();
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | null = null;

  function schedule(): void {
    if (cancelTimer !== null || pending.length === 0) return;
    const wait = Math.max(0, lastSentAt + EVENT_INTERVAL_MS - clock.now());
    cancelTimer = clock.after(wait, flush);
  }

  function flush(): void {
    cancelTimer = null;
    let bytes = 0;
    let count = 0;
    for (const item of pending) {
      if (count > 0 && bytes + item.bytes > MAX_EVENT_MESSAGE_BYTES) break;
      bytes += item.bytes;
      count += 1;
      if (item.event.name === 'live') pendingLiveBytes -= item.bytes;
    }
    const batch = pending.slice(0, count).map((item) => item.event);
    pending = pending.slice(count);
    if (pendingLiveBytes === 0) {
      batch.push(...skipped.values());
      skipped.clear();
    }
    lastSentAt = clock.now();
    send(batch);
    schedule();
  }

  return {
    add(event) {
      const bytes = estimateBytes(event.payload);
      if (event.name === 'live') {
        const { invocationId, stream, offset, bytes: chunk } = event.payload;
        const key = `${invocationId} ${stream}`;
        if (pendingLiveBytes + bytes > MAX_PENDING_LIVE_BYTES && pendingLiveBytes > 0) {
          const end = offset + chunk.byteLength;
          skipped.set(key, { name: 'live', payload: { invocationId, stream, offset: end, bytes: new Uint8Array() } });
          return;
        }
        skipped.delete(key);
        pendingLiveBytes += bytes;
      }
      pending.push({ event, bytes });
      schedule();
    },
    clear() {
      cancelTimer?.();
      cancelTimer = null;
      pending = [];
      pendingLiveBytes = 0;
      skipped.clear();
    },
  };
}

/** Roughly what a value takes when it crosses to the window. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + estimateBytes(item), 8);
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 8;
  for (const [key, item] of Object.entries(value)) sum += key.length + estimateBytes(item);
  return sum;
}
