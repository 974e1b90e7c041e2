import type { CallResult } from '../../../src-shared/api.ts';
import { SCAN_BYTES } from '../limits.ts';
import type { ByteSource } from '../source.ts';

/** The first `limit` bytes, or all of them when there are fewer. */
export async function readWhole(source: ByteSource, limit: number): Promise<CallResult<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < limit) {
    const result = await source.read(length, Math.min(SCAN_BYTES, limit - length));
    if (!result.ok) return result;
    const { bytes } = result.value;
    if (bytes.byteLength === 0) break;
    parts.push(bytes);
    length += bytes.byteLength;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return { ok: true, value: whole };
}
