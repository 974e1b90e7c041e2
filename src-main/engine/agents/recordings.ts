import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentId } from '../../../src-shared/agents.ts';
import { commandDefinition } from '../../../src-shared/commandDefinition.ts';
import type { ReaderEvent } from '../../../src-shared/events.ts';
import { cause } from '../../../src-shared/outcome.ts';
import { stripEscapes } from '../../../src-shared/plainText.ts';
import type { Agent, Ending, ReaderReport, SeatReader } from './agent.ts';

/**
 * For tests: the recorded transcripts of an agent, and what a reader makes of one. In `<agent>/transcripts` each has
 * `NAME.stdout.jsonl` (its standard output as printed; `NAME.stdout.txt` where that is no event stream) and
 * `NAME.end.json`; `causes.json` says how each ended.
 */

const ENDING = '.end.json';

const ending = z.object({
  args: z.array(z.string()),
  resuming: z.string().nullable(),
  exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }),
  stderr: z.string(),
  /** `rebuilt`: put together from the program's own source or documentation, because it could not be provoked. */
  origin: z.enum(['recorded', 'rebuilt']).default('recorded'),
  /** When it ended, ms since the epoch; matters where a reset time counts from it. */
  at: z.number().default(0),
  model: z.string().nullable().default(null),
  /** Of a `command` seat. */
  definition: commandDefinition.nullable().default(null),
});

export interface Recording extends z.infer<typeof ending> {
  readonly name: string;
  readonly stdout: Buffer;
}

const directoryOf = (agent: AgentId) => join(import.meta.dirname, agent, 'transcripts');

export function recordingNames(agent: AgentId): string[] {
  return readdirSync(directoryOf(agent))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

export function readRecording(agent: AgentId, name: string): Recording {
  const directory = directoryOf(agent);
  const events = join(directory, `${name}.stdout.jsonl`);
  return {
    name,
    stdout: readFileSync(existsSync(events) ? events : join(directory, `${name}.stdout.txt`)),
    ...ending.parse(JSON.parse(readFileSync(join(directory, `${name}${ENDING}`), 'utf8'))),
  };
}

/** Why each recording did not complete; `null` for one that did. */
export function recordedCauses(agent: AgentId): Record<string, z.infer<typeof cause> | null> {
  const file = join(directoryOf(agent), 'causes.json');
  return existsSync(file) ? z.record(z.string(), cause.nullable()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

export interface Read {
  readonly events: readonly ReaderEvent[];
  /** How many of the events came before the end of the stream. */
  readonly pushed: number;
  readonly report: ReaderReport;
}

export function readLines(reader: SeatReader, lines: readonly string[]): Read {
  const events = lines.flatMap((line) => reader.push(line));
  const last = reader.end();
  return { events: [...events, ...last.events], pushed: events.length, report: last.report };
}

export function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function readerFor(agent: Agent, recording: Recording): SeatReader {
  return agent.reader({ resuming: recording.resuming, definition: recording.definition });
}

/** The last message, put together from its pieces; `null` when there was none. */
export function answerIn(events: readonly ReaderEvent[]): string | null {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'text') texts.set(event.messageId, (texts.get(event.messageId) ?? '') + event.text);
  }
  return [...texts.values()].findLast((text) => text.trim() !== '') ?? null;
}

/** What `explain` would be given at the end of a recording that was read like this. */
export function endingOf(recording: Recording, read: Read): Ending {
  const plain = linesOf(recording.stdout).filter((line) => !line.startsWith('{'));
  return {
    exit: recording.exit,
    report: read.report,
    stderrTail: stripEscapes(recording.stderr).trim(),
    stdoutTail: stripEscapes(plain.join('\n')).trim(),
    resuming: recording.resuming,
    sessionReported: read.events.some((event) => event.type === 'session'),
    answered: answerIn(read.events) !== null,
    model: recording.model,
    at: recording.at,
    definition: recording.definition,
  };
}

/** The events of one type. */
export function only<Type extends ReaderEvent['type']>(events: readonly ReaderEvent[], type: Type) {
  return events.filter((event): event is Extract<ReaderEvent, { type: Type }> => event.type === type);
}

export const evidenceOf = (events: readonly ReaderEvent[]) => only(events, 'evidence').map(({ evidence }) => evidence);
