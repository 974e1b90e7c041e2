import type { Failure } from '../../../src-shared/failure.ts';
import {
  LIVE_ALIGN_BYTES,
  LIVE_CATCH_UP_BYTES,
  LIVE_TAIL_BYTES,
  LIVE_WRITE_BYTES,
  MAX_LIVE_BEHIND_BYTES,
  MAX_LIVE_HELD_BYTES,
} from '../limits.ts';
import type { ByteSource } from '../source.ts';

export interface FeedParts {
  /** The file that the output is appended to before it is told of. */
  source: ByteSource;
  /** Resolves when the terminal has drawn the bytes. Never called again before. */
  write(bytes: Uint8Array): Promise<void>;
  /** `bytes` were left out here: before the beginning, or because the terminal could not keep up. */
  skipped(bytes: number): void;
  failed(failure: Failure): void;
  /** The invocation has ended, and all that is in the file was written. */
  finished(): void;
}

/** Brings the output of one stream to the terminal: in order, nothing twice, and nothing missed without saying so. */
export interface Feed {
  /** `size` of the file when the watch began. Output may have been offered before. */
  open(size: number): void;
  /** Output that came in. An empty chunk only tells how far the stream is. */
  offer(offset: number, bytes: Uint8Array): void;
  /** The invocation has ended: what is in the file is all there will be. */
  finish(): void;
  /** Nothing is written any more. */
  close(): void;
}

const NEWLINE = 10;

export function createFeed({ source, write, skipped, failed, finished }: FeedParts): Feed {
  /** The first byte that was not written yet; `null` before the feed is opened. */
  let next: number | null = null;
  /** How far the stream is known to be. */
  let end = 0;
  let held: { offset: number; bytes: Uint8Array }[] = [];
  let heldBytes = 0;
  let startsWithinLine = false;
  let isPumping = false;
  let isFinishing = false;
  let isClosed = false;

  function drop(): void {
    held = [];
    heldBytes = 0;
  }

  function hold(offset: number, bytes: Uint8Array): void {
    const last = held.at(-1);
    const isAdjacent = last === undefined || last.offset + last.bytes.byteLength === offset;
    if (!isAdjacent || heldBytes + bytes.byteLength > MAX_LIVE_HELD_BYTES) drop();
    if (bytes.byteLength > MAX_LIVE_HELD_BYTES) return;
    held.push({ offset, bytes });
    heldBytes += bytes.byteLength;
  }

  /** What is held of the output from `from` on; empty when that has to be read. */
  function takeHeld(from: number): Uint8Array {
    for (let first = held[0]; first !== undefined; first = held[0]) {
      if (first.offset > from) return new Uint8Array();
      held.shift();
      heldBytes -= first.bytes.byteLength;
      const rest = first.bytes.subarray(from - first.offset);
      if (rest.byteLength > LIVE_WRITE_BYTES) {
        const later = rest.subarray(LIVE_WRITE_BYTES);
        held.unshift({ offset: from + LIVE_WRITE_BYTES, bytes: later });
        heldBytes += later.byteLength;
        return rest.subarray(0, LIVE_WRITE_BYTES);
      }
      if (first.offset + first.bytes.byteLength > from) return rest;
    }
    return new Uint8Array();
  }

  async function read(from: number): Promise<Uint8Array | null> {
    const until = Math.min(held[0]?.offset ?? end, from + LIVE_WRITE_BYTES);
    const result = await source.read(from, Math.max(1, until - from));
    if (result.ok) return result.value.bytes;
    failed(result.error);
    return null;
  }

  function aligned(bytes: Uint8Array): Uint8Array {
    if (!startsWithinLine) return bytes;
    startsWithinLine = false;
    const newline = bytes.subarray(0, LIVE_ALIGN_BYTES).indexOf(NEWLINE);
    return newline === -1 ? bytes : bytes.subarray(newline + 1);
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    while (!isClosed && next !== null && next < end) {
      if (end - next > MAX_LIVE_BEHIND_BYTES) {
        const from: number = end - LIVE_CATCH_UP_BYTES;
        skipped(from - next);
        next = from;
        startsWithinLine = true;
      }
      let bytes: Uint8Array | null = takeHeld(next);
      if (bytes.byteLength === 0) bytes = await read(next);
      // A file that is shorter than was told is looked at again when more is told.
      if (bytes === null || bytes.byteLength === 0 || isClosed) break;
      next += bytes.byteLength;
      await write(aligned(bytes));
    }
    isPumping = false;
  }

  /** Looks how long the file has become in the end, and writes what is left of it. */
  async function writeRest(from: number): Promise<void> {
    const result = await source.read(from, 1);
    if (isClosed) return;
    if (!result.ok) {
      failed(result.error);
      return;
    }
    end = Math.max(end, result.value.size);
    await pump();
    if (!isClosed) finished();
  }

  return {
    open(size) {
      next = Math.max(0, size - LIVE_TAIL_BYTES);
      end = Math.max(end, size);
      if (next > 0) {
        skipped(next);
        startsWithinLine = true;
      }
      void (isFinishing ? writeRest(next) : pump());
    },
    offer(offset, bytes) {
      end = Math.max(end, offset + bytes.byteLength);
      if (bytes.byteLength > 0) hold(offset, bytes);
      void pump();
    },
    finish() {
      isFinishing = true;
      if (next !== null) void writeRest(next);
    },
    close() {
      isClosed = true;
      drop();
    },
  };
}
