import { INDEX_BYTES, INDEX_LINES } from '../limits.ts';

const NEWLINE = 10;

/** Lines that lie together in a file, to be read and decoded at once. */
export interface LineBlock {
  readonly index: number;
  readonly firstLine: number;
  readonly lineCount: number;
  /** Byte offsets. */
  readonly start: number;
  readonly end: number;
  /** Whether its last byte ends its last line. */
  readonly isTerminated: boolean;
}

/**
 * Where the lines of a file begin. Bytes are added in order, as they are read; only every so many lines a place is
 * remembered, so that a file of any size needs little memory.
 */
export class LineIndex {
  private readonly lines: number[] = [0];
  private readonly offsets: number[] = [0];
  private newlines = 0;
  private endsWithNewline = true;
  /** Bytes that were added. */
  size = 0;

  /** An unterminated last line counts. */
  get lineCount(): number {
    return this.newlines + (this.endsWithNewline ? 0 : 1);
  }

  add(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      this.newlines += 1;
      const start = this.size + at + 1;
      const isFar = start - (this.offsets.at(-1) ?? 0) >= INDEX_BYTES;
      if (isFar || this.newlines - (this.lines.at(-1) ?? 0) >= INDEX_LINES) {
        this.lines.push(this.newlines);
        this.offsets.push(start);
      }
    }
    this.size += bytes.byteLength;
    if (bytes.byteLength > 0) this.endsWithNewline = bytes.at(-1) === NEWLINE;
  }

  /** The block that holds a line, counted from 0. */
  blockOfLine(line: number): LineBlock {
    return this.block(lastAtMost(this.lines, line));
  }

  /** The block that holds a byte. */
  blockOfOffset(offset: number): LineBlock {
    return this.block(lastAtMost(this.offsets, offset));
  }

  /** A block by its number; `null` when there is none. */
  blockAt(index: number): LineBlock | null {
    return index < this.offsets.length ? this.block(index) : null;
  }

  private block(index: number): LineBlock {
    const isLast = index === this.offsets.length - 1;
    const firstLine = this.lines[index] ?? 0;
    return {
      index,
      firstLine,
      lineCount: (this.lines[index + 1] ?? this.lineCount) - firstLine,
      start: this.offsets[index] ?? 0,
      end: this.offsets[index + 1] ?? this.size,
      isTerminated: !isLast || this.endsWithNewline,
    };
  }
}

/** The index of the last of the ascending `values` that is not above `limit`. */
function lastAtMost(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
