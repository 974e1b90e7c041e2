/**
 * Cuts a byte stream into lines. UTF-8 never holds a line feed inside a character, so cutting bytes first and decoding
 * whole lines keeps every character, wherever a chunk ends. Bytes that are not UTF-8 become U+FFFD.
 */
export class LineCutter {
  #carry: Buffer[] = [];
  #carried = 0;
  #skipping = false;

  /** `onOverlong` is told the length so far of a line over `maxBytes`; such a line is skipped up to its end. */
  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
    private readonly onOverlong: () => void,
  ) {}

  /** `chunk` may be reused by the caller afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The stream is over: what is left is the last line. */
  end(): void {
    if (this.#carried > 0) this.#finishLine(Buffer.alloc(0));
    this.#skipping = false;
  }

  #keep(rest: Buffer): void {
    if (this.#skipping) return;
    if (this.#carried + rest.length > this.maxBytes) {
      this.#skipping = true;
      this.#carry = [];
      this.#carried = 0;
      this.onOverlong();
      return;
    }
    this.#carry.push(Buffer.from(rest));
    this.#carried += rest.length;
  }

  #finishLine(last: Buffer): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (this.#carried + last.length > this.maxBytes) {
      this.#carry = [];
      this.#carried = 0;
      this.onOverlong();
      return;
    }
    let line = last;
    if (this.#carried > 0) {
      line = Buffer.concat([...this.#carry, last]);
      this.#carry = [];
      this.#carried = 0;
    }
    const length = line.length > 0 && line[line.length - 1] === 13 ? line.length - 1 : line.length;
    if (length > 0) this.onLine(line.toString('utf8', 0, length));
  }
}
