import { inflateSync } from 'node:zlib';
import { decode as decodeJpeg } from 'jpeg-js';
import { GifReader } from 'omggif';
import { PNG } from 'pngjs';
import type { ImageMime } from '../../../../src-shared/attachments.ts';
import { errorText, never } from '../../../../src-shared/failure.ts';
import type { Pixels } from './colours.ts';
import { MAX_DECODED_PIXELS } from './limits.ts';

export type Decoded = { kind: 'pixels'; pixels: Pixels } | { kind: 'not-read'; why: string };

const MAX_JPEG_MEMORY_MB = 512;

/** Decodes a whole image that was inspected before; says why when it does not. */
export function decodeImage(mime: ImageMime, bytes: Buffer, width: number, height: number): Decoded {
  if (width * height > MAX_DECODED_PIXELS) {
    return notRead(`it has more than ${MAX_DECODED_PIXELS / 1_000_000} million pixels, which is more than I decode`);
  }
  try {
    switch (mime) {
      case 'image/png':
        return decodePng(bytes, width, height);
      case 'image/jpeg':
        return decoded(
          decodeJpeg(bytes, {
            useTArray: true,
            formatAsRGBA: true,
            tolerantDecoding: false,
            maxResolutionInMP: MAX_DECODED_PIXELS / 1_000_000,
            maxMemoryUsageInMB: MAX_JPEG_MEMORY_MB,
          }),
        );
      case 'image/gif':
        return decodeGif(bytes, width, height);
      case 'image/webp':
        return notRead('I cannot decode WebP, only measure it');
      default:
        return never(mime);
    }
  } catch (error) {
    return notRead(`its picture data could not be decoded (${errorText(error)})`);
  }
}

function notRead(why: string): Decoded {
  return { kind: 'not-read', why };
}

function decoded({ width, height, data }: Pixels): Decoded {
  return { kind: 'pixels', pixels: { width, height, data } };
}

function decodePng(bytes: Buffer, width: number, height: number): Decoded {
  const interlacing = bytes[28];
  // pngjs 7.0.0 bounds what it inflates, but not for interlaced files, which could then be a bomb.
  if (interlacing === 1) inflateSync(pictureData(bytes), { maxOutputLength: 8 * width * height + 64 * height + 4_096 });
  return decoded(PNG.sync.read(bytes));
}

/** The `IDAT` chunks of a PNG whose structure was walked before. */
function pictureData(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
    }
  }
  return Buffer.concat(parts);
}

/** The first frame on the whole canvas. */
function decodeGif(bytes: Buffer, width: number, height: number): Decoded {
  const reader = new GifReader(bytes);
  const frame = reader.frameInfo(0);
  if (frame.x + frame.width > width || frame.y + frame.height > height) {
    return notRead('its first frame is larger than the image says');
  }
  const data = new Uint8Array(width * height * 4);
  reader.decodeAndBlitFrameRGBA(0, data);
  return decoded({ width, height, data });
}
