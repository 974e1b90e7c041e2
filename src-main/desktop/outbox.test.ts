import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BridgeEvent } from '../../src-shared/api.ts';
import { invocationId } from '../../src-shared/ids.ts';
import { EVENT_INTERVAL_MS, MAX_EVENT_MESSAGE_BYTES, MAX_PENDING_LIVE_BYTES } from './limits.ts';
import { type Clock, createOutbox, estimateBytes } from './outbox.ts';

const id = invocationId.parse('inv-20260101-000000-00000000');

/** Time that stands still until it is moved. */
function handClock() {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  return {
    clock,
    waiting: () => timers.length,
    advance(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        now = Math.max(now, next.at);
        timers = timers.filter((timer) => timer !== next);
        next.callback();
      }
      now = end;
    },
  };
}

const notice = (text: string): BridgeEvent => ({ name: 'notice', payload: { level: 'info', text } });
const live = (offset: number, size: number): BridgeEvent => ({
  name: 'live',
  payload: { invocationId: id, stream: 'stdout', offset, bytes: new Uint8Array(size) },
});

function collecting() {
  const time = handClock();
  const messages: { at: number; batch: BridgeEvent[] }[] = [];
  const outbox = createOutbox((batch) => messages.push({ at: time.clock.now(), batch }), time.clock);
  return { ...time, outbox, messages };
}

describe('the outbox to the window', () => {
  it('sends at most one message a frame, in order', () => {
    const { outbox, messages, advance } = collecting();
    for (let index = 0; index < 100; index++) {
      outbox.add(notice(String(index)));
      advance(1);
    }
    advance(1_000);
    for (let index = 1; index < messages.length; index++) {
      const [before, after] = [messages[index - 1], messages[index]];
      expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(EVENT_INTERVAL_MS);
    }
    const texts = messages
      .flatMap(({ batch }) => batch)
      .map((event) => (event.name === 'notice' ? event.payload.text : ''));
    expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
    expect(messages.length).toBeLessThan(10);
  });

  it('has no timer while there is nothing to send', () => {
    const { outbox, waiting, advance } = collecting();
    expect(waiting()).toBe(0);
    outbox.add(notice('once'));
    advance(1_000);
    expect(waiting()).toBe(0);
  });

  it('bounds a message in bytes, and loses none of the events', () => {
    const { outbox, messages, advance } = collecting();
    const text = 'x'.repeat(MAX_EVENT_MESSAGE_BYTES / 3);
    for (let index = 0; index < 10; index++) outbox.add(notice(`${index}${text}`));
    advance(10_000);
    for (const { batch } of messages) {
      const bytes = batch.reduce((sum, event) => sum + estimateBytes(event.payload), 0);
      expect(bytes).toBeLessThanOrEqual(MAX_EVENT_MESSAGE_BYTES);
    }
    expect(messages.flatMap(({ batch }) => batch)).toHaveLength(10);
  });

  it('sends an event that is larger than a message alone', () => {
    const { outbox, messages, advance } = collecting();
    outbox.add(notice('x'.repeat(2 * MAX_EVENT_MESSAGE_BYTES)));
    outbox.add(notice('small'));
    advance(1_000);
    expect(messages.map(({ batch }) => batch.length)).toEqual([1, 1]);
  });

  it('skips raw output that the window cannot keep up with, and tells where it ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: MAX_PENDING_LIVE_BYTES }), { minLength: 1, maxLength: 30 }),
        (sizes) => {
          const { outbox, messages, advance } = collecting();
          let offset = 0;
          for (const [index, size] of sizes.entries()) {
            outbox.add(live(offset, size));
            outbox.add(notice(String(index)));
            offset += size;
          }
          advance(60_000);
          const events = messages.flatMap(({ batch }) => batch);
          expect(events.filter((event) => event.name === 'notice')).toHaveLength(sizes.length);
          let received = 0;
          for (const event of events) {
            if (event.name !== 'live') continue;
            expect(event.payload.offset).toBeGreaterThanOrEqual(received);
            received = event.payload.offset + event.payload.bytes.byteLength;
          }
          expect(received).toBe(offset);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('forgets what was meant for a page that is gone', () => {
    const { outbox, messages, advance, waiting } = collecting();
    outbox.add(notice('for the old page'));
    outbox.clear();
    expect(waiting()).toBe(0);
    outbox.add(notice('for the new page'));
    advance(1_000);
    expect(messages.flatMap(({ batch }) => batch)).toEqual([notice('for the new page')]);
  });
});
