import type { Failure } from '../../../src-shared/failure.ts';
import type { ByteSource } from '../source.ts';

export const BYTES_PER_ROW = 16;
/** One read: so many rows are formatted from it. */
const PAGE_BYTES = 4096;
const MAX_KEPT_PAGES = 64;

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** Offset, bytes in two groups of eight, and the printable ASCII among them. */
export function hexRow(offset: number, bytes: Uint8Array): string {
  const cells = Array.from({ length: BYTES_PER_ROW }, (_, at) => {
    const byte = bytes[at];
    return `${at === BYTES_PER_ROW / 2 ? ' ' : ''}${byte === undefined ? '  ' : hex(byte, 2)}`;
  });
  const ascii = Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${hex(offset, 8)}  ${cells.join(' ')}  ${ascii}`;
}

/** The bytes of a file as rows, read where they are looked at. */
export class HexPages {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly onTheWay = new Set<number>();
  private hasFailed = false;

  constructor(
    private readonly source: ByteSource,
    /** Called when rows have come, or could not. */
    private readonly changed: (failure: Failure | null) => void,
  ) {}

  /** A row; `undefined` while it is being read. */
  row(index: number): string | undefined {
    const offset = index * BYTES_PER_ROW;
    const page = Math.floor(offset / PAGE_BYTES);
    const bytes = this.pages.get(page);
    if (bytes === undefined) {
      void this.load(page);
      return undefined;
    }
    const start = offset % PAGE_BYTES;
    return hexRow(offset, bytes.subarray(start, start + BYTES_PER_ROW));
  }

  private async load(page: number): Promise<void> {
    // What failed once is not asked for with every frame.
    if (this.hasFailed || this.onTheWay.has(page)) return;
    this.onTheWay.add(page);
    const result = await this.source.read(page * PAGE_BYTES, PAGE_BYTES);
    this.onTheWay.delete(page);
    if (result.ok) {
      this.pages.set(page, result.value.bytes);
      for (const oldest of this.pages.keys()) {
        if (this.pages.size <= MAX_KEPT_PAGES) break;
        this.pages.delete(oldest);
      }
    }
    this.hasFailed = !result.ok;
    this.changed(result.ok ? null : result.error);
  }
}
