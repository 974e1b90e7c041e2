import { type FileHandle, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

const READ_BYTES = 256 * 1024;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

/** The type of a file of the window by its extension; `null` for what the window has no business with. */
export function contentType(file: string): string | null {
  return CONTENT_TYPES[path.extname(file).toLowerCase()] ?? null;
}

/**
 * The regular file that a URL's path names below `root`; `null` when there is none, or when it lies elsewhere: by `..`
 * however it is written, or by a symbolic link.
 */
export async function fileBelow(root: string, urlPath: string): Promise<string | null> {
  try {
    const decoded = decodeURIComponent(urlPath);
    if (decoded.includes('\0') || decoded.includes('\\')) return null;
    const realRoot = await realpath(root);
    const file = await realpath(path.join(realRoot, decoded));
    if (!file.startsWith(realRoot + path.sep)) return null;
    return (await stat(file)).isFile() ? file : null;
  } catch {
    // Not decodable, or not there: both are "no such file" to the window.
    return null;
  }
}

/** The bytes of an open file, read as they are asked for; the file is closed at its end or when nobody wants the rest. */
export function streamFile(handle: FileHandle): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const chunk = new Uint8Array(READ_BYTES);
        const { bytesRead } = await handle.read(chunk);
        if (bytesRead > 0) {
          controller.enqueue(chunk.subarray(0, bytesRead));
          return;
        }
        await handle.close();
        controller.close();
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    cancel: () => handle.close(),
  });
}
