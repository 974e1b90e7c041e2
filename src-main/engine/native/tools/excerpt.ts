import { stripEscapes } from '../../../../src-shared/plainText.ts';
import { wholeCharacters } from './lineWindow.ts';

/** Keeps the beginning and the end of a stream, and counts the rest. Never holds more than twice its two limits. */
export class Excerpt {
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  /** Of the whole stream. */
  bytes = 0;

  constructor(
    private readonly maxHeadBytes: number,
    private readonly maxTailBytes: number,
  ) {}

  /** Whether something of the stream is not in {@link text}. */
  get isCut(): boolean {
    return this.bytes > this.maxHeadBytes + this.maxTailBytes;
  }

  /** `chunk` may be reused by the caller afterwards. */
  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    const room = this.maxHeadBytes - this.#headBytes;
    const head = chunk.subarray(0, room);
    if (head.length > 0) {
      this.#head.push(Buffer.from(head));
      this.#headBytes += head.length;
    }
    const rest = chunk.subarray(head.length);
    if (rest.length === 0) return;
    const tail = Buffer.from(rest.subarray(Math.max(0, rest.length - this.maxTailBytes)));
    this.#tail.push(tail);
    this.#tailBytes += tail.length;
    if (this.#tailBytes > this.maxTailBytes * 2) this.#shorten();
  }

  /** Decoded, without terminal escapes; what is not UTF-8 is U+FFFD, and no character is cut in two. */
  text(): string {
    this.#shorten();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (!this.isCut) return stripEscapes(Buffer.concat([head, tail]).toString('utf8'));
    let start = 0;
    while (start < 4 && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
    const left = this.bytes - head.length - tail.length;
    const end = wholeCharacters(head, Math.max(0, head.length - incompleteBytes(head)));
    return stripEscapes(
      `${head.toString('utf8', 0, end)}\n[… ${left.toLocaleString('en')} bytes left out …]\n${tail.toString('utf8', start)}`,
    );
  }

  #shorten(): void {
    const all = Buffer.concat(this.#tail);
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.maxTailBytes)));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}

/** How many bytes at the end begin a character of UTF-8 that goes on after it. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
