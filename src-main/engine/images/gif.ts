import { byteAt, uint16Little } from './reading.ts';
import { damaged, truncated, type Verdict } from './verdict.ts';

/** Signature and logical screen descriptor. */
const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** An image descriptor, with its introducer. */
const DESCRIPTOR_BYTES = 10;

/** Bytes of the colour table that the packed field announces. */
function colourTableBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0;
}

/** Walks the blocks of a GIF file, whose signature was seen, to its trailer. Bytes after that are allowed. */
export function walkGif(bytes: Uint8Array): Verdict {
  if (bytes.length < HEADER_BYTES) return truncated;
  const width = uint16Little(bytes, 6);
  const height = uint16Little(bytes, 8);
  let at = HEADER_BYTES + colourTableBytes(byteAt(bytes, 10));
  let hasImage = false;
  while (at < bytes.length) {
    const introducer = byteAt(bytes, at);
    if (introducer === TRAILER) {
      return hasImage ? { kind: 'complete', width, height } : damaged('it has no picture data');
    }
    if (introducer === EXTENSION) {
      at += 2;
    } else if (introducer === IMAGE) {
      if (at + DESCRIPTOR_BYTES > bytes.length) return truncated;
      // The code size of the compressed data follows the descriptor and its colour table.
      at += DESCRIPTOR_BYTES + colourTableBytes(byteAt(bytes, at + 9)) + 1;
      hasImage = true;
    } else {
      return damaged('a block of its GIF data is unknown');
    }
    const end = endOfSubBlocks(bytes, at);
    if (end === null) return truncated;
    at = end;
  }
  return truncated;
}

/** The offset after a chain of sub-blocks and its terminator; `null` when the file ends before it. */
function endOfSubBlocks(bytes: Uint8Array, from: number): number | null {
  let at = from;
  while (at < bytes.length) {
    const length = byteAt(bytes, at);
    at += 1 + length;
    if (length === 0) return at;
  }
  return null;
}
