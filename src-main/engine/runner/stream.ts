import type { ReaderEvent } from '../../../src-shared/events.ts';
import { MAX_EVENT_LINE_BYTES, STDERR_TAIL_BYTES } from '../../../src-shared/limits.ts';
import type { ReaderReport, SeatReader } from '../agents/index.ts';
import { LineCutter, TailKeeper } from '../process/index.ts';

/** Turns the bytes of an invocation's stdout into the reader's events, live or from a spool that is read again. */
export class OutputStream {
  readonly #cutter: LineCutter;
  readonly #plainText = new TailKeeper(STDERR_TAIL_BYTES);

  constructor(
    private readonly reader: SeatReader,
    private readonly emit: (event: ReaderEvent) => void,
  ) {
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
    this.#cutter.push(chunk);
  }

  end(): { report: ReaderReport; stdoutTail: string } {
    this.#cutter.end();
    const { events, report } = this.reader.end();
    for (const event of events) this.emit(event);
    return { report, stdoutTail: this.#plainText.text() };
  }

  #onLine(line: string): void {
    // What is not an event is kept for explaining a failure: some CLIs report one in plain text.
    if (line[0] !== '{') this.#plainText.push(Buffer.from(`${line}\n`));
    for (const event of this.reader.push(line)) this.emit(event);
  }
}
