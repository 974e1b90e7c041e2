import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { MAX_TEXT_PART_LENGTH } from '../../../../src-shared/limits.ts';
import type { ReaderReport, SeatReader } from '../agent.ts';

const ANSWER = 'answer';

/**
 * All that a program prints is its answer. A program that was given the id of a new session (`opening`) reports none
 * itself: once it answers, the session is taken to be there.
 */
export class TextReader implements SeatReader {
  #length = 0;
  #saysSession: boolean;

  constructor(private readonly opening: string | null) {
    this.#saysSession = opening !== null;
  }

  push(line: string): ReaderEvent[] {
    return this.pushText(`${line}\n`);
  }

  pushText(text: string): ReaderEvent[] {
    // What is past the limit is not kept by the transcript; the artifact has it.
    if (text === '' || this.#length > MAX_TEXT_PART_LENGTH) return [];
    this.#length += text.length;
    return [...this.#session(), { type: 'text', messageId: ANSWER, text }];
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    // Plain text has no word for the end of a turn; how the program exits tells.
    return { events: [], report: { finished: true, error: null } };
  }

  #session(): ReaderEvent[] {
    if (!this.#saysSession || this.opening === null) return [];
    this.#saysSession = false;
    return [{ type: 'session', sessionId: this.opening, how: 'fresh' }];
  }
}

/** Reads an event format for a program whose sessions are not continued: what it says of them leads nowhere. */
export class WithoutSessions implements SeatReader {
  constructor(private readonly reader: SeatReader) {}

  push(line: string): ReaderEvent[] {
    return this.reader.push(line).filter(isNoSession);
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    const { events, report } = this.reader.end();
    return { events: events.filter(isNoSession), report };
  }
}

function isNoSession(event: ReaderEvent): boolean {
  return event.type !== 'session';
}
