import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src-shared/failure.ts';
import { LIVE_TAIL_BYTES, LIVE_WRITE_BYTES, MAX_LIVE_BEHIND_BYTES } from '../limits.ts';
import { type ByteSource, memorySource } from '../source.ts';
import { createFeed, type Feed } from './feed.ts';

interface Rig {
  feed: Feed;
  written: Uint8Array[];
  skips: number[];
  failures: Failure[];
  isFinished(): boolean;
  /** The terminal draws what it was given last, and is ready for more. */
  draw(): void;
  /** Draws until nothing more comes. */
  settle(): Promise<void>;
}

/** A feed with a terminal that draws only when it is told to. */
function rig(source: ByteSource): Rig {
  const written: Uint8Array[] = [];
  const skips: number[] = [];
  const failures: Failure[] = [];
  let drawn: (() => void) | null = null;
  let isFinished = false;
  const feed = createFeed({
    source,
    write: (bytes) => {
      expect(drawn).toBeNull();
      written.push(bytes);
      return new Promise((resolve) => {
        drawn = resolve;
      });
    },
    skipped: (bytes) => skips.push(bytes),
    failed: (failure) => failures.push(failure),
    finished: () => {
      isFinished = true;
    },
  });
  const draw = () => {
    drawn?.();
    drawn = null;
  };
  return {
    feed,
    written,
    skips,
    failures,
    isFinished: () => isFinished,
    draw,
    async settle() {
      for (let idle = 0; idle < 20; idle++) {
        if (drawn !== null) idle = 0;
        draw();
        await Promise.resolve();
      }
    },
  };
}

const joined = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString('latin1');

describe('a feed', () => {
  it('writes every byte once and in order, however reading, watching and drawing interleave', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('offer' as const), length: fc.nat(40) }),
      fc.record({ kind: fc.constant('lose' as const), length: fc.nat(40) }),
      fc.record({ kind: fc.constant('open' as const) }),
      fc.record({ kind: fc.constant('draw' as const) }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(30), async (steps, before) => {
        let file = Buffer.from(Array.from({ length: before }, (_, index) => index));
        const { feed, written, skips, draw, settle } = rig({
          read: (offset, length) => memorySource(file).read(offset, length),
        });
        let isOpen = false;
        const open = () => {
          if (!isOpen) feed.open(file.byteLength);
          isOpen = true;
        };
        for (const each of steps) {
          if (each.kind === 'open') open();
          else if (each.kind === 'draw') draw();
          else if (each.kind === 'wait') await Promise.resolve();
          else {
            const offset = file.byteLength;
            const added = Buffer.from(Array.from({ length: each.length }, (_, index) => (offset + index) % 256));
            file = Buffer.concat([file, added]);
            if (each.kind === 'offer') feed.offer(offset, added);
          }
        }
        open();
        feed.finish();
        await settle();
        expect(joined(written)).toBe(file.toString('latin1'));
        expect(skips).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('takes chunks that the first read already held as read', async () => {
    const { feed, written, settle } = rig(memorySource(Buffer.from('abcdef')));
    feed.offer(2, Buffer.from('cd'));
    feed.open(4);
    feed.offer(4, Buffer.from('ef'));
    await settle();
    expect(joined(written)).toBe('abcdef');
  });

  it('reads what an empty chunk says was left out', async () => {
    const { feed, written, settle } = rig(memorySource(Buffer.from('abcdef')));
    feed.open(0);
    feed.offer(6, new Uint8Array());
    await settle();
    expect(joined(written)).toBe('abcdef');
  });

  it('begins with the end of a long file, at a line, and says how much lies before', async () => {
    const file = Buffer.from(`${'x'.repeat(99)}\n`.repeat(30_000));
    const { feed, written, skips, settle } = rig(memorySource(file));
    feed.open(file.byteLength);
    await settle();
    const text = joined(written);
    expect(skips).toEqual([file.byteLength - LIVE_TAIL_BYTES]);
    expect(text.startsWith('x'.repeat(99))).toBe(true);
    expect(file.toString('latin1').endsWith(text)).toBe(true);
    expect(Math.max(...written.map((part) => part.byteLength))).toBeLessThanOrEqual(LIVE_WRITE_BYTES);
  });

  it('skips ahead, and says so, when the terminal falls behind', async () => {
    const file = Buffer.alloc(MAX_LIVE_BEHIND_BYTES * 3, 'y');
    const { feed, written, skips, settle } = rig(memorySource(file));
    feed.open(0);
    feed.offer(0, file.subarray(0, 1000));
    feed.offer(file.byteLength, new Uint8Array());
    await settle();
    expect(skips).toHaveLength(1);
    expect(joined(written).length + (skips[0] ?? 0)).toBe(file.byteLength);
  });

  it('says that nothing was printed only when the file says so', async () => {
    const empty = rig(memorySource(new Uint8Array()));
    empty.feed.finish();
    empty.feed.open(0);
    await empty.settle();
    expect(empty.isFinished()).toBe(true);

    const failure: Failure = { code: 'no-artifact', message: 'gone', hint: '' };
    const gone = rig({ read: async () => ({ ok: false, error: failure }) });
    gone.feed.finish();
    gone.feed.open(0);
    await gone.settle();
    expect(gone.failures).toEqual([failure]);
    expect(gone.isFinished()).toBe(false);
  });

  it('tells when the file cannot be read, and writes nothing after it was closed', async () => {
    const failure: Failure = { code: 'no-artifact', message: 'gone', hint: '' };
    const broken = rig({ read: async () => ({ ok: false, error: failure }) });
    broken.feed.open(5);
    await broken.settle();
    expect(broken.failures).toEqual([failure]);

    const closed = rig(memorySource(Buffer.from('abc')));
    closed.feed.open(3);
    closed.feed.close();
    await closed.settle();
    expect(closed.written).toEqual([]);
  });
});
