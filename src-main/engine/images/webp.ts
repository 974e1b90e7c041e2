import { byteAt, textAt, uint16Little, uint24Little, uint32Little } from './reading.ts';
import { damaged, truncated, type Verdict } from './verdict.ts';

/** `RIFF`, the size, `WEBP`. */
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const LOSSY_HEADER_BYTES = 10;
const LOSSLESS_HEADER_BYTES = 5;
const EXTENDED_BYTES = 10;

interface Chunk {
  type: string;
  /** Offset of its data. */
  at: number;
  length: number;
}

/** Walks the chunks of a WebP file, whose signature was seen. Bytes after the RIFF container are allowed. */
export function walkWebp(bytes: Uint8Array): Verdict {
  const end = CHUNK_HEADER_BYTES + uint32Little(bytes, 4);
  if (end > bytes.length) return truncated;
  const chunks = readChunks(bytes, end);
  if (chunks === null) return damaged('a part of its WebP data is longer than the file says');
  const first = chunks[0];
  if (first === undefined) return damaged('it has no picture data');
  if (first.type === 'VP8 ') return lossySize(bytes, first);
  if (first.type === 'VP8L') return losslessSize(bytes, first);
  if (first.type !== 'VP8X' || first.length < EXTENDED_BYTES) return damaged('its WebP header is not valid');

  const picture = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF');
  if (picture === undefined) return damaged('it has no picture data');
  if (picture.type !== 'ANMF') {
    const inner = picture.type === 'VP8 ' ? lossySize(bytes, picture) : losslessSize(bytes, picture);
    if (inner.kind !== 'complete') return inner;
  }
  return {
    kind: 'complete',
    width: 1 + uint24Little(bytes, first.at + 4),
    height: 1 + uint24Little(bytes, first.at + 7),
  };
}

/** Every chunk up to `end`; `null` when one reaches past it. */
function readChunks(bytes: Uint8Array, end: number): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= end) {
    const chunk = {
      type: textAt(bytes, at, 4),
      at: at + CHUNK_HEADER_BYTES,
      length: uint32Little(bytes, at + 4),
    };
    if (chunk.at + chunk.length > end) return null;
    chunks.push(chunk);
    // Chunks are padded to an even length; some writers leave the last one unpadded.
    at = chunk.at + chunk.length + (chunk.length % 2);
  }
  return chunks;
}

/** RFC 6386, 9.1: a key frame's tag, its start code, and 14 bits for each side. */
function lossySize(bytes: Uint8Array, chunk: Chunk): Verdict {
  if (chunk.length < LOSSY_HEADER_BYTES) return damaged('its WebP header is not valid');
  const tag = uint24Little(bytes, chunk.at);
  const firstPartition = tag >> 5;
  const isKeyFrame = (tag & 1) === 0;
  const hasStartCode = textAt(bytes, chunk.at + 3, 3) === '\x9d\x01\x2a';
  if (!isKeyFrame || !hasStartCode) return damaged('its WebP header is not valid');
  if (firstPartition > chunk.length - LOSSY_HEADER_BYTES) return damaged('its WebP picture data is incomplete');
  return {
    kind: 'complete',
    width: uint16Little(bytes, chunk.at + 6) & 0x3fff,
    height: uint16Little(bytes, chunk.at + 8) & 0x3fff,
  };
}

/** WebP lossless bitstream, 3: a signature byte, and 14 bits less one for each side. */
function losslessSize(bytes: Uint8Array, chunk: Chunk): Verdict {
  if (chunk.length < LOSSLESS_HEADER_BYTES || byteAt(bytes, chunk.at) !== 0x2f) {
    return damaged('its WebP header is not valid');
  }
  const bits = uint32Little(bytes, chunk.at + 1);
  const version = bits >>> 29;
  if (version !== 0) return damaged('its WebP header is not valid');
  return { kind: 'complete', width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
