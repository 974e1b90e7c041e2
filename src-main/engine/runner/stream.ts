import type { ReaderEvent } from '../../../src-shared/events.ts';
import { MAX_EVENT_LINE_BYTES, STDERR_TAIL_BYTES } from '../../../src-shared/limits.ts';
import type { ReaderReport, SeatReader } from '../agents/index.ts';
import { Decoder, LineCutter, PlainStream, TailKeeper } from '../process/index.ts';

export const DEFAULT_ENCODING = 'utf-8';

/** Turns the bytes of an invocation's stdout into the reader's events, live or from a spool that is read again. */
export class OutputStream {
  readonly #cutter: LineCutter;
  readonly #plainText = new TailKeeper(STDERR_TAIL_BYTES);
  readonly #plain = new PlainStream();
  /** Lines of UTF-8 are cut before they are decoded; everything else is decoded first. */
  readonly #decoder: Decoder | null;

  constructor(
    private readonly reader: SeatReader,
    private readonly emit: (event: ReaderEvent) => void,
    encoding: string = DEFAULT_ENCODING,
  ) {
    this.#decoder = reader.pushText !== undefined || encoding !== DEFAULT_ENCODING ? new Decoder(encoding) : null;
    this.#cutter = new LineCutter(
      MAX_EVENT_LINE_BYTES,
      (line) => this.#onLine(line),
      () => {
        const text = `A line of more than ${MAX_EVENT_LINE_BYTES / 1024 / 1024} MiB was not read as an event; it is whole in the stdout artifact.`;
        this.emit({ type: 'notice', level: 'warning', text });
      },
    );
  }

  push(chunk: Buffer): void {
    if (this.#decoder === null) this.#cutter.push(chunk);
    else this.#onText(this.#decoder.push(chunk));
  }

  end(): { report: ReaderReport; stdoutTail: string } {
    if (this.#decoder !== null) this.#onText(this.#decoder.end());
    this.#cutter.end();
    const { events, report } = this.reader.end();
    for (const event of events) this.emit(event);
    return { report, stdoutTail: this.#plainText.text() };
  }

  #onText(text: string): void {
    if (this.reader.pushText === undefined) {
      this.#cutter.push(Buffer.from(text));
      return;
    }
    const plain = this.#plain.push(text);
    this.#plainText.push(Buffer.from(plain));
    for (const event of this.reader.pushText(plain)) this.emit(event);
  }

  #onLine(line: string): void {
    // What is not an event is kept for explaining a failure: some CLIs report one in plain text.
    if (line[0] !== '{') this.#plainText.push(Buffer.from(`${line}\n`));
    for (const event of this.reader.push(line)) this.emit(event);
  }
}

/** Keeps the end of stderr as text, whatever it is encoded in. */
export class ErrorTail {
  readonly #tail = new TailKeeper(STDERR_TAIL_BYTES);
  readonly #decoder: Decoder | null;

  constructor(encoding: string = DEFAULT_ENCODING) {
    this.#decoder = encoding === DEFAULT_ENCODING ? null : new Decoder(encoding);
  }

  push(chunk: Buffer): void {
    this.#tail.push(this.#decoder === null ? chunk : Buffer.from(this.#decoder.push(chunk)));
  }

  end(): string {
    if (this.#decoder !== null) this.#tail.push(Buffer.from(this.#decoder.end()));
    return this.#tail.text();
  }
}
