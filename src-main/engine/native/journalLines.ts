import { z } from 'zod';
import { type ChatMessage, chatMessage } from './messages.ts';

/** The lines of a journal: what they look like, and how what can be read of them is read. Nothing here throws. */

/** Of a line. A line of a later version is kept and not read. */
export const JOURNAL_VERSION = 1;

const LINE_FEED = 0x0a;
const NUL = 0;
const NUL_RUN = new RegExp(`${String.fromCharCode(NUL)}+`, 'g');
const REPLACEMENT = '\ufffd';

/** What was met while a journal was read. All zero and `none` for a sound one. */
export interface JournalReport {
  /** Lines that could not be read as a message. */
  readonly skipped: number;
  /** Lines that were read although bytes of them were damaged: what was lost shows as U+FFFD. */
  readonly repaired: number;
  /** How the file ended: `kept` is a whole line without its line feed, `set-aside` a piece of one. */
  readonly tornTail: 'none' | 'kept' | 'set-aside';
  readonly nulBytes: number;
  /** Lines of another version or kind: kept as they are, and not part of the history. */
  readonly unknownKinds: number;
}

/** First line of a rewritten journal: where the rewritten part ends, and which backup it stands for. */
const rewriteMark = z.object({
  bodyBytes: z.number().int().nonnegative(),
  backup: z.object({ bytes: z.number().int().nonnegative(), sha256: z.string() }),
});
export type RewriteMark = z.infer<typeof rewriteMark>;

export interface JournalContents {
  readonly messages: readonly ChatMessage[];
  readonly report: JournalReport;
  /** Whole JSON objects that are not messages, byte for byte and without line feed: a rewrite keeps them. */
  readonly kept: readonly Uint8Array[];
  /** `bodyStart`: offset of the byte after the mark's line. */
  readonly rewrite: { readonly mark: RewriteMark; readonly bodyStart: number } | null;
}

const envelope = z.object({ v: z.literal(JOURNAL_VERSION), kind: z.string() });
const messageLine = z.object({ message: z.object({ role: z.string() }) });
const ROLES: ReadonlySet<string> = new Set(chatMessage.options.map((option) => option.shape.role.value));

export function encodeMessages(messages: readonly ChatMessage[]): Buffer {
  const lines = messages.map((message) => `${JSON.stringify({ v: JOURNAL_VERSION, kind: 'message', message })}\n`);
  return Buffer.from(lines.join(''));
}

export function encodeMark(mark: RewriteMark): Buffer {
  return Buffer.from(`${JSON.stringify({ v: JOURNAL_VERSION, kind: 'rewrite', ...mark })}\n`);
}

export function endsInLine(bytes: Uint8Array): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === LINE_FEED;
}

type JournalRecord =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'rewrite'; readonly mark: RewriteMark }
  | { readonly kind: 'unknown' }
  /** Says that it is a message of ours, and is not. */
  | { readonly kind: 'invalid' };

/** Reads what can be read of a journal's bytes. */
export function readJournal(bytes: Uint8Array): JournalContents {
  const messages: ChatMessage[] = [];
  const kept: Uint8Array[] = [];
  let rewrite: JournalContents['rewrite'] = null;
  let skipped = 0;
  let repaired = 0;
  let unknownKinds = 0;
  let nulBytes = 0;
  let tornTail: JournalReport['tornTail'] = 'none';

  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const raw = bytes.subarray(start, end);
    const line = readLine(raw);
    nulBytes += line.nulBytes;
    if (found === -1 && !line.isBlank) tornTail = line.records.length > 0 ? 'kept' : 'set-aside';
    else if (line.records.length === 0 && !line.isBlank) skipped += 1;
    if (line.isDamaged && line.records.length > 0) repaired += 1;
    for (const record of line.records) {
      if (record.kind === 'message') messages.push(record.message);
      else if (record.kind === 'rewrite') {
        // Elsewhere than at the start it says nothing that is true of this file.
        if (start === 0) rewrite = { mark: record.mark, bodyStart: end + 1 };
      } else {
        if (record.kind === 'unknown') unknownKinds += 1;
        else skipped += 1;
        kept.push(raw);
      }
    }
    start = end + 1;
  }
  return { messages, report: { skipped, repaired, tornTail, nulBytes, unknownKinds }, kept, rewrite };
}

interface Line {
  readonly records: readonly JournalRecord[];
  readonly isBlank: boolean;
  readonly isDamaged: boolean;
  readonly nulBytes: number;
}

function readLine(raw: Uint8Array): Line {
  const { text, isWhole } = decode(raw);
  const nulBytes = count(raw, NUL);
  const isDamaged = !isWhole || nulBytes > 0;
  if (text.trim() === '') return { records: [], isBlank: true, isDamaged: false, nulBytes };
  if (nulBytes === 0) return { records: [...recordsOf([text])], isBlank: false, isDamaged, nulBytes };
  // A file system that lost blocks gives NULs. Around a line they are in its way; inside a text they stand for what is
  // lost; and where a line feed was among the lost, what is left of two lines stands in one.
  const trimmed = trimNuls(text);
  if (trimmed.trim() === '') return { records: [], isBlank: false, isDamaged, nulBytes };
  const readings = [[trimmed.replace(NUL_RUN, REPLACEMENT)], [trimmed.replace(NUL_RUN, '')], trimmed.split(NUL_RUN)];
  for (const pieces of readings) {
    const records = [...recordsOf(pieces)];
    if (records.length > 0) return { records, isBlank: false, isDamaged, nulBytes };
  }
  return { records: [], isBlank: false, isDamaged, nulBytes };
}

function* recordsOf(pieces: readonly string[]): Generator<JournalRecord> {
  for (const piece of pieces) {
    const value = parseObject(piece);
    if (value !== null) yield recordOf(value);
  }
}

function recordOf(value: object): JournalRecord {
  const outer = envelope.safeParse(value);
  if (!outer.success) return { kind: 'unknown' };
  if (outer.data.kind === 'rewrite') {
    const mark = rewriteMark.safeParse(value);
    return mark.success ? { kind: 'rewrite', mark: mark.data } : { kind: 'invalid' };
  }
  if (outer.data.kind !== 'message') return { kind: 'unknown' };
  const line = messageLine.safeParse(value);
  if (!line.success) return { kind: 'invalid' };
  if (!ROLES.has(line.data.message.role)) return { kind: 'unknown' };
  const message = z.object({ message: chatMessage }).safeParse(value);
  return message.success ? { kind: 'message', message: message.data.message } : { kind: 'invalid' };
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function decode(raw: Uint8Array): { text: string; isWhole: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(raw), isWhole: true };
  } catch {
    return { text: new TextDecoder().decode(raw), isWhole: false };
  }
}

function count(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

function trimNuls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === NUL) start += 1;
  while (end > start && text.charCodeAt(end - 1) === NUL) end -= 1;
  return text.slice(start, end);
}
