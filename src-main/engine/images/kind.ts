import type { ImageMime } from '../../../src-shared/attachments.ts';
import { startsWith, textAt } from './reading.ts';

/** What bytes are, whatever a name says: one of the formats that agents take, or something else in words. */
export type FileKind = { supported: true; mime: ImageMime } | { supported: false; what: string };

/** Enough to tell markup and text from the rest. */
const TEXT_PROBE_BYTES = 4 * 1024;

export const IMAGE_WORDS: Readonly<Record<ImageMime, string>> = {
  'image/png': 'a PNG image',
  'image/jpeg': 'a JPEG image',
  'image/gif': 'a GIF image',
  'image/webp': 'a WebP image',
};

const SIGNATURES: readonly (readonly [signature: readonly number[], what: string])[] = [
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'a PDF document'],
  [[0x49, 0x49, 0x2a, 0x00], 'a TIFF image'],
  [[0x4d, 0x4d, 0x00, 0x2a], 'a TIFF image'],
  [[0x42, 0x4d], 'a BMP image'],
  [[0x00, 0x00, 0x01, 0x00], 'a Windows icon (ICO)'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  [[0x50, 0x4b, 0x05, 0x06], 'a ZIP archive'],
  [[0x38, 0x42, 0x50, 0x53], 'a Photoshop document'],
  [[0xff, 0x0a], 'a JPEG XL image'],
  [[0x00, 0x00, 0x00, 0x0c, 0x4a, 0x58, 0x4c, 0x20], 'a JPEG XL image'],
  [[0x00, 0x00, 0x00, 0x0c, 0x6a, 0x50, 0x20, 0x20], 'a JPEG 2000 image'],
];

export const UNKNOWN = 'not an image that Parley knows';

export function kindOf(bytes: Uint8Array): FileKind {
  // The first four bytes of the PNG signature, so that a file cut off within it is recognised too.
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return supported('image/png');
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return supported('image/jpeg');
  if (textAt(bytes, 0, 4) === 'GIF8') return supported('image/gif');
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return supported('image/webp');
  return { supported: false, what: nameOther(bytes) };
}

function supported(mime: ImageMime): FileKind {
  return { supported: true, mime };
}

function nameOther(bytes: Uint8Array): string {
  const signature = SIGNATURES.find(([start]) => startsWith(bytes, start));
  if (signature !== undefined) return signature[1];
  if (textAt(bytes, 4, 4) === 'ftyp') return nameMediaFile(textAt(bytes, 8, 4), textAt(bytes, 16, 32));
  const text = probeText(bytes);
  if (text === null) return UNKNOWN;
  if (/<svg[\s>]/i.test(text) && text.trimStart().startsWith('<')) return 'an SVG image';
  if (/^\s*<(!doctype\s+html|html[\s>]|!--|head[\s>]|body[\s>])/i.test(text)) return 'an HTML page';
  return 'a text file';
}

/** ISO base media files are told apart by their brands. */
function nameMediaFile(major: string, compatible: string): string {
  if (/^avi[fs]/.test(major) || compatible.includes('avif')) return 'an AVIF image';
  if (/^(he[iv][cxms]|mif1|msf1)/.test(major)) return 'a HEIC image';
  return 'a video or audio file';
}

/** The beginning of the file when it is UTF-8 or UTF-16 text; `null` otherwise. */
function probeText(bytes: Uint8Array): string | null {
  const probe = bytes.subarray(0, TEXT_PROBE_BYTES);
  const encoding = startsWith(probe, [0xff, 0xfe])
    ? 'utf-16le'
    : startsWith(probe, [0xfe, 0xff])
      ? 'utf-16be'
      : 'utf-8';
  let text: string;
  try {
    // `stream` because the probe may end in the middle of a character.
    text = new TextDecoder(encoding, { fatal: true }).decode(probe, { stream: true });
  } catch {
    // Not text in this encoding: that is the answer.
    return null;
  }
  const isPrintable = !Array.from(text).some((character) => character < ' ' && !'\t\n\r\f'.includes(character));
  return isPrintable ? text : null;
}
