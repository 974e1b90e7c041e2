/** Decodes a byte stream whose pieces end anywhere. `encoding` is a name of WHATWG's; what is none of it is U+FFFD. */
export class Decoder {
  readonly #decoder: TextDecoder;

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding);
  }

  push(chunk: Buffer): string {
    return this.#decoder.decode(chunk, { stream: true });
  }

  /** What was left of the last character. */
  end(): string {
    return this.#decoder.decode();
  }
}
