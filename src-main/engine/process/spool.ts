import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { SPOOL_CHUNK_BYTES, SPOOL_POLL_MS } from './limits.ts';

/** Receives the bytes of a spool in order. `chunk` is reused after the call. */
export type ChunkListener = (chunk: Buffer, offset: number) => void;

/**
 * Reads a file that a child process appends to, from its beginning, as it grows. It ends when `done` has been aborted
 * and everything that was written by then has been read.
 * @returns the number of bytes read
 */
export async function followSpool(path: string, done: AbortSignal, onChunk: ChunkListener): Promise<number> {
  const file = await open(path, 'r');
  const change = new ChangeBell(path, done);
  const buffers = new BufferPair();
  let offset = 0;
  const startRead = () => readFrom(file, buffers.next(), offset, done);
  let next = startRead();
  try {
    for (;;) {
      const { chunk, ended } = await next;
      if (chunk.length > 0) {
        const at = offset;
        offset += chunk.length;
        // The next read goes on in the background while this chunk is worked on.
        next = startRead();
        onChunk(chunk, at);
        continue;
      }
      if (ended) return offset;
      await change.wait();
      next = startRead();
    }
  } finally {
    change.close();
    // The file must not be closed under a read; what that read finds does not matter any more.
    await next.catch(() => {});
    await file.close();
  }
}

/** Reads a spool that nothing writes to any more. */
export async function readSpool(path: string, onChunk: ChunkListener): Promise<number> {
  return followSpool(path, AbortSignal.abort(), onChunk);
}

/** Two buffers in turn: one is worked on while the other is filled. */
class BufferPair {
  #current = Buffer.allocUnsafe(SPOOL_CHUNK_BYTES);
  #other = Buffer.allocUnsafe(SPOOL_CHUNK_BYTES);

  next(): Buffer {
    [this.#current, this.#other] = [this.#other, this.#current];
    return this.#current;
  }
}

async function readFrom(
  file: FileHandle,
  buffer: Buffer,
  offset: number,
  done: AbortSignal,
): Promise<{ chunk: Buffer; ended: boolean }> {
  // Asked before the read: what was written before the end is then surely read.
  const ended = done.aborted;
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  return { chunk: buffer.subarray(0, bytesRead), ended };
}

/** Rings when a file may have grown: told by the file system, and at the latest after {@link SPOOL_POLL_MS}. */
class ChangeBell {
  #watcher: FSWatcher | null = null;
  #rung = false;
  #wake: (() => void) | null = null;
  readonly #ring = () => {
    this.#rung = true;
    this.#wake?.();
  };

  constructor(
    path: string,
    private readonly done: AbortSignal,
  ) {
    done.addEventListener('abort', this.#ring);
    try {
      this.#watcher = watch(path, { persistent: false }, this.#ring);
      // Out of watches, or a file system that has none: the poll goes on.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = null;
    }
  }

  async wait(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SPOOL_POLL_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    this.#rung = false;
  }

  close(): void {
    this.done.removeEventListener('abort', this.#ring);
    this.#watcher?.close();
    this.#wake?.();
  }
}
