import { isUtf8 } from 'node:buffer';
import { READ_LINE_BYTES } from './limits.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface WindowLimits {
  /** The first line wanted; the first of a file is 1. */
  readonly firstLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/**
 * Takes lines of a file out of its bytes as they are read: never more in memory than is shown. Pushed to until it is
 * full or the file is over.
 */
export class LineWindow {
  readonly lines: string[] = [];
  /** Numbers of the lines of which only the beginning is in {@link lines}. */
  readonly clipped: number[] = [];
  hasNul = false;
  hasInvalidUtf8 = false;
  hasCrlf = false;
  /** Why no more lines are taken. */
  fullBy: 'lines' | 'bytes' | null = null;
  /** Whether anything follows what was taken. */
  hasMore = false;
  #number = 1;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #lineBytes = 0;
  #lastByte = -1;
  #taken = 0;

  constructor(private readonly limits: WindowLimits) {}

  /** The number of the line that follows what was taken, or of the line at which the file ended. */
  get nextLine(): number {
    return this.#number;
  }

  /** `chunk` may be reused afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length) {
      if (this.fullBy !== null) {
        this.hasMore = true;
        return;
      }
      const end = chunk.indexOf(LINE_FEED, start);
      this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#finishLine();
      start = end + 1;
    }
  }

  /** The file is over: what follows the last line feed is a line, too. */
  end(): void {
    if (this.#lineBytes > 0 && this.fullBy === null) this.#finishLine();
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#lineBytes += bytes.length;
    this.#lastByte = bytes[bytes.length - 1] ?? -1;
    if (this.#number < this.limits.firstLine) return;
    const room = READ_LINE_BYTES + 1 - this.#keptBytes;
    if (room <= 0) return;
    const kept = Buffer.from(bytes.subarray(0, room));
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  #finishLine(): void {
    if (this.#number >= this.limits.firstLine && !this.#take()) return;
    this.#number++;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#lineBytes = 0;
    this.#lastByte = -1;
    if (this.lines.length >= this.limits.maxLines) this.fullBy = 'lines';
  }

  /** @returns whether the line fitted */
  #take(): boolean {
    let bytes = Buffer.concat(this.#kept);
    const endsWithReturn = this.#lastByte === CARRIAGE_RETURN;
    const contentBytes = this.#lineBytes - (endsWithReturn ? 1 : 0);
    const isClipped = contentBytes > READ_LINE_BYTES;
    bytes = bytes.subarray(0, isClipped ? wholeCharacters(bytes, READ_LINE_BYTES) : contentBytes);
    if (this.lines.length > 0 && this.#taken + bytes.length > this.limits.maxBytes) {
      this.fullBy = 'bytes';
      this.hasMore = true;
      return false;
    }
    if (endsWithReturn) this.hasCrlf = true;
    if (bytes.includes(0)) this.hasNul = true;
    if (!isUtf8(bytes)) this.hasInvalidUtf8 = true;
    if (isClipped) this.clipped.push(this.#number);
    this.lines.push(bytes.toString('utf8'));
    this.#taken += bytes.length;
    return true;
  }
}

/** The largest number of bytes up to `maxBytes` that cuts no character of UTF-8 in two. */
export function wholeCharacters(bytes: Buffer, maxBytes: number): number {
  if (bytes.length <= maxBytes) return bytes.length;
  let end = maxBytes;
  // A character has at most three bytes that continue it; more of them are no UTF-8 at all.
  while (end > maxBytes - 4 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
