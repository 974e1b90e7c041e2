import type { Failure } from '../../../src-shared/failure.ts';
import { INDEX_BYTES, MAX_KEPT_BLOCKS, MAX_OPENED_LINE_BYTES, MAX_SHOWN_LINE_BYTES, SCAN_BYTES } from '../limits.ts';
import type { Direction } from '../SearchBox.tsx';
import type { ByteSource } from '../source.ts';
import { findMatch, needleOf } from './finder.ts';
import { type LineBlock, LineIndex } from './lineIndex.ts';
import { clip, decodeMarked, type Segment } from './marks.ts';

const NEWLINE = 10;

export interface Line {
  readonly segments: readonly Segment[];
  /** Bytes that are folded away. */
  readonly folded: number;
}

export interface DocumentState {
  /** Grows with every change, also of what {@link FileDocument.line} returns. */
  readonly version: number;
  readonly size: number;
  readonly indexed: number;
  readonly lineCount: number;
  readonly failure: Failure | null;
}

/** A text of any size, read piece by piece where it is looked at. Memory is bounded whatever its size is. */
export class FileDocument {
  private index = new LineIndex();
  /** Decoded blocks by their number; the one that is used last is kept longest. */
  private readonly blocks = new Map<number, { end: number; lines: readonly Line[] }>();
  private readonly wanted = new Set<number>();
  private reading: Promise<void> | null = null;
  private isStale = false;
  private isClosed = false;
  private state: DocumentState = { version: 0, size: 0, indexed: 0, lineCount: 0, failure: null };
  private readonly listeners = new Set<() => void>();

  constructor(private readonly source: ByteSource) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): DocumentState => this.state;

  close(): void {
    this.isClosed = true;
    this.blocks.clear();
  }

  private change(part: Partial<DocumentState>): void {
    if (this.isClosed) return;
    this.state = { ...this.state, ...part, version: this.state.version + 1 };
    for (const listener of this.listeners) listener();
  }

  /** Reads on from what is known to the end of the file. Resolves when all of it is indexed. */
  refresh(): Promise<void> {
    this.isStale = true;
    this.reading ??= this.readOn().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async readOn(): Promise<void> {
    while (!this.isClosed && (this.isStale || this.index.size < this.state.size)) {
      this.isStale = false;
      const result = await this.source.read(this.index.size, SCAN_BYTES);
      if (this.isClosed) return;
      if (!result.ok) {
        this.change({ failure: result.error });
        return;
      }
      const { bytes, size } = result.value;
      if (size < this.index.size) {
        // Shorter than what was read: it is another file by now.
        this.index = new LineIndex();
        this.blocks.clear();
        this.isStale = true;
      } else {
        this.index.add(bytes);
      }
      this.change({ size, indexed: this.index.size, lineCount: this.index.lineCount, failure: null });
      if (bytes.byteLength === 0 && !this.isStale) return;
    }
  }

  /** A line, counted from 0; `undefined` while it is being read. */
  line(number: number): Line | undefined {
    const block = this.index.blockOfLine(number);
    const known = this.blocks.get(block.index);
    if (known !== undefined) {
      this.blocks.delete(block.index);
      this.blocks.set(block.index, known);
    }
    // What failed is not asked for with every frame; the next refresh tries again.
    const isCurrent = known !== undefined && known.end === block.end;
    if (!isCurrent && this.state.failure === null) this.wanted.add(block.index);
    return known?.lines[number - block.firstLine];
  }

  /** Reads the blocks of which {@link line} had lines to return. */
  async fetch(): Promise<void> {
    const wanted = [...this.wanted];
    this.wanted.clear();
    for (const number of wanted) await this.fetchBlock(number);
  }

  private async fetchBlock(number: number): Promise<void> {
    const block = this.index.blockAt(number);
    if (block === null || this.blocks.get(number)?.end === block.end || this.isClosed) return;
    // Only the last line of a block can reach beyond this, and it is folded then.
    const length = Math.min(block.end - block.start, INDEX_BYTES + MAX_SHOWN_LINE_BYTES + 1);
    if (length === 0) return;
    const result = await this.source.read(block.start, length);
    if (!result.ok) {
      this.change({ failure: result.error });
      return;
    }
    this.blocks.set(number, { end: block.end, lines: linesOf(result.value.bytes, block) });
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= MAX_KEPT_BLOCKS) break;
      this.blocks.delete(oldest);
    }
    this.change({});
  }

  /** The byte at which a line begins. */
  private async offsetOfLine(number: number): Promise<number | null> {
    const block = this.index.blockOfLine(number);
    let { start: offset, firstLine: line } = block;
    while (line < number) {
      const result = await this.source.read(offset, SCAN_BYTES);
      if (!result.ok || result.value.bytes.byteLength === 0) return null;
      const { bytes } = result.value;
      let next = 0;
      while (line < number && next < bytes.byteLength) {
        const newline = bytes.indexOf(NEWLINE, next);
        next = newline === -1 ? bytes.byteLength : newline + 1;
        if (newline !== -1) line += 1;
      }
      offset += next;
    }
    return offset;
  }

  /** The beginning of a line, much more of it than is shown folded. */
  async openLine(number: number): Promise<{ segments: Segment[]; folded: boolean } | null> {
    const offset = await this.offsetOfLine(number);
    if (offset === null) return null;
    const result = await this.source.read(offset, MAX_OPENED_LINE_BYTES + 1);
    if (!result.ok) return null;
    const { bytes } = result.value;
    const end = bytes.indexOf(NEWLINE);
    const line = end === -1 ? bytes : bytes.subarray(0, end);
    return {
      segments: decodeMarked(clip(line, MAX_OPENED_LINE_BYTES)),
      folded: line.byteLength > MAX_OPENED_LINE_BYTES,
    };
  }

  /** The line that holds a byte. */
  private async lineOfOffset(offset: number): Promise<number | null> {
    const block = this.index.blockOfOffset(offset);
    let line = block.firstLine;
    for (let at = block.start; at < offset; ) {
      const result = await this.source.read(at, Math.min(SCAN_BYTES, offset - at));
      if (!result.ok || result.value.bytes.byteLength === 0) return null;
      const { bytes } = result.value;
      for (let found = bytes.indexOf(NEWLINE); found !== -1; found = bytes.indexOf(NEWLINE, found + 1)) line += 1;
      at += bytes.byteLength;
    }
    return line;
  }

  /** The next or previous match as seen from byte `from`, going round at the end. */
  async find(
    text: string,
    from: number,
    direction: Direction,
    signal: AbortSignal,
  ): Promise<{ offset: number; line: number } | null> {
    await this.refresh();
    const found = await findMatch(this.source, this.index.size, needleOf(text), from, direction, signal);
    if (!found.ok) {
      this.change({ failure: found.error });
      return null;
    }
    if (found.value === null || signal.aborted) return null;
    const line = await this.lineOfOffset(found.value);
    return line === null ? null : { offset: found.value, line };
  }
}

function linesOf(bytes: Uint8Array, block: LineBlock): Line[] {
  const blockEnd = block.end - block.start - (block.isTerminated ? 1 : 0);
  const lines: Line[] = [];
  let start = 0;
  while (lines.length < block.lineCount) {
    const newline = bytes.indexOf(NEWLINE, start);
    // A last line may reach beyond what was read; where it ends is known all the same.
    const end = newline === -1 ? Math.max(start, blockEnd) : newline;
    const shown = clip(bytes.subarray(start, end), MAX_SHOWN_LINE_BYTES);
    lines.push({ segments: decodeMarked(shown), folded: end - start - shown.byteLength });
    start = end + 1;
  }
  return lines;
}
