import { stripEscapes } from '../../../src-shared/plainText.ts';

/** Keeps the last `maxBytes` of a stream, and gives them back as text. */
export class TailKeeper {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = false;

  constructor(private readonly maxBytes: number) {}

  /** `chunk` may be reused by the caller afterwards. */
  push(chunk: Buffer): void {
    const kept = Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.maxBytes)));
    this.#chunks.push(kept);
    this.#bytes += kept.length;
    if (kept.length < chunk.length) this.#dropped = true;
    for (let first = this.#chunks[0]; first && this.#bytes - first.length >= this.maxBytes; first = this.#chunks[0]) {
      this.#chunks.shift();
      this.#bytes -= first.length;
      this.#dropped = true;
    }
  }

  /** Decoded, without terminal escapes, beginning at a whole character. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    let start = Math.max(0, all.length - this.maxBytes);
    // Only what was cut off can have left a part of a character behind.
    if (start > 0 || this.#dropped) while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
    return stripEscapes(all.toString('utf8', start)).trim();
  }
}
