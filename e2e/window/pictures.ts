import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode as encodeJpeg } from 'jpeg-js';
import { GifWriter } from 'omggif';
import { PNG } from 'pngjs';

/** Image files that tests drop, paste and pick. */

type Rgb = readonly [red: number, green: number, blue: number];

const BLUE: Rgb = [20, 60, 200];

export function pngBytes(width: number, height: number, [red, green, blue]: Rgb = BLUE): Buffer {
  const image = new PNG({ width, height });
  for (let at = 0; at < image.data.length; at += 4) image.data.set([red, green, blue, 255], at);
  return PNG.sync.write(image);
}

function jpegBytes(width: number, height: number): Buffer {
  return encodeJpeg({ width, height, data: Buffer.alloc(width * height * 4, 0x90) }, 80).data;
}

function gifBytes(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(4_096);
  const writer = new GifWriter(bytes, width, height, { palette: [0x008000, 0xffffff] });
  writer.addFrame(0, 0, width, height, new Array<number>(width * height).fill(0));
  return bytes.subarray(0, writer.end());
}

/** 6 × 5 px, lossless, written by libwebp 1.2.4. */
const WEBP = 'UklGRjYAAABXRUJQVlA4TCkAAAAvBQABACcQAoEUbnYCgcTfqsme/+iQAQiybXNTmMIUrvCI/sf/bZUKAAA=';

const TOO_LARGE_BYTES = 21 * 1024 * 1024;

/** Files by what they are. The names of refused ones say why. */
export async function writePictures(directory: string) {
  await mkdir(join(directory, 'other'), { recursive: true });
  const jpeg = jpegBytes(9, 7);
  const files = {
    png: ['shot.png', pngBytes(40, 30)],
    jpeg: ['photo.jpg', jpeg],
    gif: ['loop.gif', gifBytes(4, 6)],
    webp: ['tiny.webp', Buffer.from(WEBP, 'base64')],
    sameName: ['other/shot.png', pngBytes(41, 31, [200, 20, 20])],
    empty: ['empty.png', Buffer.alloc(0)],
    truncated: ['cut.jpg', jpeg.subarray(0, -40)],
    heic: ['phone.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    svg: ['logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    pdf: ['paper.pdf', Buffer.from('%PDF-1.7\n')],
    mislabelled: ['page.png', Buffer.from('<!doctype html><p>Not found</p>')],
    wide: ['wide.png', pngBytes(8_001, 1)],
    large: ['large.png', Buffer.alloc(0)],
    folder: ['other', null],
    vanished: ['vanished.png', null],
  } as const satisfies Record<string, readonly [name: string, bytes: Buffer | null]>;
  for (const [name, bytes] of Object.values(files)) {
    if (bytes !== null) await writeFile(join(directory, name), bytes);
  }
  await truncate(join(directory, 'large.png'), TOO_LARGE_BYTES);
  const path = (key: keyof typeof files) => join(directory, files[key][0]);
  return { path };
}
