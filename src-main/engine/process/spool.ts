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
  try {
    const buffer = Buffer.allocUnsafe(SPOOL_CHUNK_BYTES);
    let offset = 0;
    for (;;) {
      // Asked before the read: what was written before the end is then surely read.
      const ended = done.aborted;
      const read = await readAvailable(file, buffer, offset, onChunk);
      offset += read;
      if (read > 0) continue;
      if (ended) return offset;
      await change.wait();
    }
  } finally {
    change.close();
    await file.close();
  }
}

/** Reads a spool that nothing writes to any more. */
export async function readSpool(path: string, onChunk: ChunkListener): Promise<number> {
  return followSpool(path, AbortSignal.abort(), onChunk);
}

async function readAvailable(
  file: FileHandle,
  buffer: Buffer,
  offset: number,
  onChunk: ChunkListener,
): Promise<number> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  if (bytesRead > 0) onChunk(buffer.subarray(0, bytesRead), offset);
  return bytesRead;
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
