import { textAt, uint32 } from './reading.ts';
import { damaged, truncated, type Verdict } from './verdict.ts';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_BYTES = 13;

/** Bit depths that each colour type may have (PNG third edition, table 11.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Chunks without which the picture cannot be shown; their checksums have to be right. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

function crc32(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let at = from; at < to; at++) crc = (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Walks the chunks of a PNG file, whose signature was seen, to its `IEND`. Bytes after that are allowed. */
export function walkPng(bytes: Uint8Array): Verdict {
  let at = SIGNATURE_BYTES;
  let size: { width: number; height: number } | null = null;
  let hasData = false;
  while (at + CHUNK_FRAME_BYTES <= bytes.length) {
    const length = uint32(bytes, at);
    const type = textAt(bytes, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type)) return damaged('a chunk of its PNG data has no name');
    if (size === null && type !== 'IHDR') return damaged('its PNG header is missing');
    const end = at + CHUNK_FRAME_BYTES + length;
    if (end > bytes.length) return truncated;
    if (CRITICAL.has(type) && crc32(bytes, at + 4, end - 4) !== uint32(bytes, end - 4)) {
      return damaged(`the checksum of its ${type} chunk is wrong`);
    }
    if (type === 'IHDR') {
      if (size !== null || length !== HEADER_BYTES || !isHeaderSane(bytes, at + 8)) {
        return damaged('its PNG header is not valid');
      }
      size = { width: uint32(bytes, at + 8), height: uint32(bytes, at + 12) };
    }
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') {
      if (size === null || !hasData) return damaged('it has no picture data');
      return { kind: 'complete', ...size };
    }
    at = end;
  }
  return truncated;
}

/** Depth, colour type, compression, filter and interlacing of the `IHDR` data at `at`. */
function isHeaderSane(bytes: Uint8Array, at: number): boolean {
  const [depth = -1, colourType = -1, compression, filter, interlacing = -1] = bytes.subarray(at + 8, at + 13);
  return (
    (DEPTHS[colourType]?.includes(depth) ?? false) &&
    compression === 0 &&
    filter === 0 &&
    (interlacing === 0 || interlacing === 1)
  );
}
