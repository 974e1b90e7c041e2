import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ReaderEvent } from '../../../../src-shared/events.ts';
import type { Ending, ReaderReport, SeatReader } from '../agent.ts';

/** For tests: the recorded transcripts, and what a reader makes of one. */

const DIRECTORY = fileURLToPath(new URL('./transcripts', import.meta.url));
const ENDING = '.end.json';

const ending = z.object({
  args: z.array(z.string()),
  resuming: z.string().nullable(),
  exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }),
  stderr: z.string(),
});

export interface Recording extends z.infer<typeof ending> {
  readonly name: string;
  readonly stdout: Buffer;
}

export const recordingNames: readonly string[] = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

export function readRecording(name: string): Recording {
  return {
    name,
    stdout: readFileSync(join(DIRECTORY, `${name}.stdout.jsonl`)),
    ...ending.parse(JSON.parse(readFileSync(join(DIRECTORY, `${name}${ENDING}`), 'utf8'))),
  };
}

export interface Read {
  readonly events: readonly ReaderEvent[];
  readonly report: ReaderReport;
}

export function readLines(reader: SeatReader, lines: readonly string[]): Read {
  const events = lines.flatMap((line) => reader.push(line));
  const last = reader.end();
  return { events: [...events, ...last.events], report: last.report };
}

export function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The last message, put together from its pieces; `null` when there was none. */
export function answerIn(events: readonly ReaderEvent[]): string | null {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'text') texts.set(event.messageId, (texts.get(event.messageId) ?? '') + event.text);
  }
  return [...texts.values()].at(-1) ?? null;
}

export function endingOf(recording: Recording, read: Read): Ending {
  return {
    exit: recording.exit,
    report: read.report,
    stderrTail: recording.stderr.trim(),
    stdoutTail: '',
    resuming: recording.resuming,
    sessionReported: read.events.some((event) => event.type === 'session'),
    answered: answerIn(read.events) !== null,
  };
}
