import { byteAt, uint16 } from './reading.ts';
import { damaged, truncated, type Verdict } from './verdict.ts';

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** Markers that stand alone: TEM, RST0–RST7 and SOI. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** SOF0–SOF15, which share their range with DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Baseline, extended and progressive Huffman coding: what decoders in the field read. */
function isCommonCoding(marker: number): boolean {
  return marker === 0xc0 || marker === 0xc1 || marker === 0xc2;
}

/**
 * Walks the segments and scans of a JPEG file, whose first bytes were seen, to its end-of-image marker. A thumbnail
 * inside a segment is skipped with it; bytes after the end (as some cameras write them) are allowed.
 */
export function walkJpeg(bytes: Uint8Array): Verdict {
  let at = 2;
  let size: { width: number; height: number } | null = null;
  let hasScan = false;
  while (at < bytes.length) {
    if (byteAt(bytes, at) !== 0xff) return damaged('a marker of its JPEG data is missing');
    while (byteAt(bytes, at) === 0xff) at++;
    const marker = byteAt(bytes, at);
    at++;
    if (marker === -1) return truncated;
    if (marker === END_OF_IMAGE) {
      if (size === null || !hasScan) return damaged('it has no picture data');
      return { kind: 'complete', ...size };
    }
    if (standsAlone(marker)) continue;
    if (marker === 0) return damaged('a marker of its JPEG data is missing');
    if (at + 2 > bytes.length) return truncated;
    const length = uint16(bytes, at);
    if (length < 2) return damaged('a segment of its JPEG data has no length');
    if (at + length > bytes.length) return truncated;
    if (isFrameHeader(marker)) {
      if (!isCommonCoding(marker)) return { kind: 'foreign', what: 'a JPEG image in a rare coding' };
      const components = byteAt(bytes, at + 7);
      if (length < 8 || length !== 8 + 3 * components) return damaged('its JPEG header is not valid');
      if (byteAt(bytes, at + 2) !== 8) return { kind: 'foreign', what: 'a JPEG image with more than 8 bits a colour' };
      size ??= { height: uint16(bytes, at + 3), width: uint16(bytes, at + 5) };
    }
    at += length;
    if (marker === START_OF_SCAN) {
      if (size === null) return damaged('its JPEG header is missing');
      hasScan = true;
      at = endOfScan(bytes, at);
    }
  }
  return truncated;
}

/** The offset of the next marker after the coded data at `from`; restart markers and stuffed bytes belong to the data. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = byteAt(bytes, at + 1);
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}
