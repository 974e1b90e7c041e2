import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The beginning of a file. */
export interface FileHead {
  bytes: Buffer;
  /** The size of the whole file. */
  size: number;
}

/**
 * Reads at most `limit` bytes of a regular file. Does not wait on pipes and devices: they are refused. Throws a plain
 * sentence without a full stop.
 */
export async function readRegularFile(path: string, limit: number): Promise<FileHead> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    const buffer = Buffer.alloc(Math.min(limit, stats.size));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: buffer.subarray(0, length), size: stats.size };
  } finally {
    await file.close();
  }
}

/** Whether bytes are not text: they hold a NUL. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}
