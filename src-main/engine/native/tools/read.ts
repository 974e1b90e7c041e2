import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { openFile } from './anchor.ts';
import { type Place, resolvePlace } from './confine.ts';
import { defineTool } from './define.ts';
import { READ_BYTES, READ_CHUNK_BYTES, READ_LINE_BYTES, READ_LINES, READ_SCAN_BYTES } from './limits.ts';
import { LineWindow } from './lineWindow.ts';
import { count, ok, Refusal, throwIfEnded } from './outcome.ts';

const input = z.strictObject({
  path: z.string().describe('The file, relative to the working directory or absolute.'),
  offset: z.number().int().min(1).optional().describe('The first line wanted; 1 is the first of the file.'),
  limit: z.number().int().min(1).max(READ_LINES).optional().describe(`How many lines; at most ${READ_LINES}.`),
});

export const read = defineTool({
  name: 'read',
  description: `Reads a text file. Each line is preceded by its number and a tab. One call shows at most ${READ_LINES} lines and ${READ_BYTES} bytes; it says at which offset to go on. Images: use view_image.`,
  right: 'read',
  input,
  title: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
  async run({ path, offset = 1, limit = READ_LINES }, context) {
    const place = await resolvePlace(path, context);
    const { handle } = await openFile(place);
    try {
      const window = new LineWindow({ firstLine: offset, maxLines: limit, maxBytes: READ_BYTES });
      await fill(window, handle, place, context.signal);
      return ok(present(window, place, offset));
    } finally {
      await handle.close();
    }
  },
});

async function fill(window: LineWindow, handle: FileHandle, place: Place, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafe(READ_CHUNK_BYTES);
  let position = 0;
  while (!window.hasMore) {
    throwIfEnded(signal);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    // Told by the beginning alone, before anything is scanned; a NUL further on counts where it would be shown.
    if (position === 0) refuseBinary(chunk, place);
    window.push(chunk);
    position += bytesRead;
    if (position >= READ_SCAN_BYTES && !window.hasMore && window.lines.length === 0) {
      throw new Refusal(
        'failed',
        `The line is more than ${READ_SCAN_BYTES} bytes into “${place.shown}”; read looks no further.`,
      );
    }
  }
  window.end();
  if (window.hasNul) throw binary(place);
}

const PROBE_BYTES = 8 * 1024;
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

function refuseBinary(start: Buffer, place: Place): void {
  if (UTF16_MARKS.some((mark) => start.subarray(0, 2).equals(mark))) {
    throw new Refusal('failed', `“${place.shown}” is UTF-16 text; read takes UTF-8.`);
  }
  if (start.subarray(0, PROBE_BYTES).includes(0)) throw binary(place);
}

function binary(place: Place): Refusal {
  return new Refusal('failed', `“${place.shown}” is a binary file. If it is an image, use view_image.`);
}

const BYTE_ORDER_MARK = '\ufeff';

function present(window: LineWindow, place: Place, offset: number): string {
  if (window.lines.length === 0) {
    const total = window.nextLine - 1;
    if (total === 0) return `“${place.shown}” is empty.`;
    throw new Refusal('failed', `“${place.shown}” has ${count(total, 'line')}; there is no line ${offset}.`);
  }
  const numbered = window.lines.map((line, index) => {
    const text = offset + index === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    const number = offset + index;
    return `${number}\t${text}${window.clipped.includes(number) ? ' […]' : ''}`;
  });
  return [...numbered, ...notes(window)].join('\n');
}

function notes(window: LineWindow): string[] {
  const all: string[] = [];
  if (window.hasMore) {
    const limit = window.fullBy === 'bytes' ? ` (limit of ${READ_BYTES} bytes reached)` : '';
    all.push(`[More follows${limit}. Next offset: ${window.nextLine}.]`);
  } else {
    all.push(`[End of file: ${count(window.nextLine - 1, 'line')}.]`);
  }
  if (window.clipped.length > 0) {
    all.push(
      `[Of ${count(window.clipped.length, 'line')} only the first ${READ_LINE_BYTES} bytes are shown: ends in […].]`,
    );
  }
  if (window.hasCrlf) all.push('[Lines end in CR LF. edit keeps that.]');
  if (window.hasInvalidUtf8) all.push('[Not all of it is UTF-8: what is not is shown as �. edit refuses such a file.]');
  return all;
}
