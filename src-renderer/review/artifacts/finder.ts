import type { CallResult } from '../../../src-shared/api.ts';
import { SCAN_BYTES } from '../limits.ts';
import type { Direction } from '../SearchBox.tsx';
import type { ByteSource } from '../source.ts';

const UPPER_A = 65;
const UPPER_Z = 90;
const TO_LOWER = 32;

const lower = (byte: number) => (byte >= UPPER_A && byte <= UPPER_Z ? byte + TO_LOWER : byte);

/** The bytes to look for; ASCII letters match whatever their case. */
export function needleOf(text: string): Uint8Array {
  return new TextEncoder().encode(text).map(lower);
}

function matchesAt(bytes: Uint8Array, needle: Uint8Array, at: number): boolean {
  for (let index = needle.byteLength - 1; index >= 0; index--) {
    if (lower(bytes[at + index] ?? 0) !== needle[index]) return false;
  }
  return true;
}

/** How far one may go on after a byte that ends no match (Horspool). */
function shiftsOf(needle: Uint8Array): Uint32Array {
  const shifts = new Uint32Array(256).fill(needle.byteLength);
  needle.subarray(0, -1).forEach((byte, index) => {
    shifts[byte] = needle.byteLength - 1 - index;
  });
  return shifts;
}

export function firstMatch(bytes: Uint8Array, needle: Uint8Array): number {
  const shifts = shiftsOf(needle);
  const last = needle.byteLength - 1;
  for (let at = 0; at + last < bytes.byteLength; at += shifts[lower(bytes[at + last] ?? 0)] ?? 1) {
    if (matchesAt(bytes, needle, at)) return at;
  }
  return -1;
}

export function lastMatch(bytes: Uint8Array, needle: Uint8Array): number {
  for (let at = bytes.byteLength - needle.byteLength; at >= 0; at--) {
    if (matchesAt(bytes, needle, at)) return at;
  }
  return -1;
}

/**
 * The byte offset of the next or previous match in `[0, size)`, seen from `from`, going round at the end; `null` when
 * there is none or the search was given up.
 */
export async function findMatch(
  source: ByteSource,
  size: number,
  needle: Uint8Array,
  from: number,
  direction: Direction,
  signal: AbortSignal,
): Promise<CallResult<number | null>> {
  if (needle.byteLength === 0) return { ok: true, value: null };
  const overlap = needle.byteLength - 1;
  const ranges: [number, number][] =
    direction === 'next'
      ? [
          [from, size],
          [0, Math.min(size, from + overlap)],
        ]
      : [
          [0, Math.min(size, from + overlap)],
          [from, size],
        ];
  for (const [start, end] of ranges) {
    const found = await (direction === 'next' ? scanOn : scanBack)(source, start, end, needle, signal);
    if (!found.ok || found.value !== null) return found;
  }
  return { ok: true, value: null };
}

type Scan = (
  source: ByteSource,
  start: number,
  end: number,
  needle: Uint8Array,
  signal: AbortSignal,
) => Promise<CallResult<number | null>>;

const scanOn: Scan = async (source, start, end, needle, signal) => {
  for (let at = start; at + needle.byteLength <= end && !signal.aborted; ) {
    const result = await source.read(at, Math.min(SCAN_BYTES, end - at));
    if (!result.ok) return result;
    const { bytes } = result.value;
    if (bytes.byteLength < needle.byteLength) break;
    const match = firstMatch(bytes, needle);
    if (match !== -1) return { ok: true, value: at + match };
    at += bytes.byteLength - needle.byteLength + 1;
  }
  return { ok: true, value: null };
};

const scanBack: Scan = async (source, start, end, needle, signal) => {
  for (let until = end; until - start >= needle.byteLength && !signal.aborted; ) {
    const at = Math.max(start, until - SCAN_BYTES);
    const result = await source.read(at, until - at);
    if (!result.ok) return result;
    const match = lastMatch(result.value.bytes, needle);
    if (match !== -1) return { ok: true, value: at + match };
    if (at === start) break;
    until = at + needle.byteLength - 1;
  }
  return { ok: true, value: null };
};
