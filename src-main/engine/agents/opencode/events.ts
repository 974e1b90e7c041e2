import type { ReaderEvent, Usage } from '../../../../src-shared/events.ts';
import type { ReaderReport, SeatReader } from '../agent.ts';
import { parseEvent, piece, sessionEvents, warning } from '../reading.ts';
import { integerAt, type Shape, shapeAt, textAt } from '../shape.ts';
import { failureText } from './failure.ts';
import { isRejection, toolEvents } from './tools.ts';

const SOURCE = 'opencode';
/** Why a step of opencode 1.18 ended, when another one follows. */
const GOES_ON = 'tool-calls';
/** Endings of a step that the operator should know of. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  length: 'The model reached the most that it may say at once, so the answer is cut off.',
  'content-filter': 'The provider’s filter ended the answer.',
};

/** Reads the JSON lines of `opencode run --format json` (opencode 1.18). */
export class OpenCodeReader implements SeatReader {
  #session: string | null = null;
  #finished = false;
  #error: string | null = null;
  /** A call that was refused because nobody could be asked: opencode may end the turn there. */
  #rejected: string | null = null;
  /** Parts that were passed on. Each is reported once, when it is complete. */
  readonly #parts = new Set<string>();
  #usage: Usage | null = null;

  constructor(private readonly resuming: string | null) {}

  push(line: string): ReaderEvent[] {
    const event = parseEvent(line);
    if (event === null) return [];
    const part = shapeAt(event, 'part');
    switch (event.type) {
      case 'step_start':
        this.#finished = false;
        return this.#onSession(event);
      case 'text':
        return [...this.#onSession(event), ...this.#onText('text', part)];
      case 'reasoning':
        return [...this.#onSession(event), ...this.#onText('thinking', part)];
      case 'tool_use':
        return [...this.#onSession(event), ...this.#onTool(part)];
      case 'step_finish':
        return [...this.#onSession(event), ...this.#onStep(part)];
      case 'error':
        this.#error = failureText(shapeAt(event, 'error'));
        return this.#onSession(event);
      default:
        return [];
    }
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    const error = this.#error ?? (this.#finished ? null : this.#rejected);
    return { events: [], report: { finished: this.#finished, error } };
  }

  /** Every event names it. */
  #onSession(event: Shape): ReaderEvent[] {
    const id = textAt(event, 'sessionID');
    if (id === null || this.#session !== null) return [];
    this.#session = id;
    return sessionEvents(id, this.resuming);
  }

  #isNew(part: Shape): boolean {
    const id = textAt(part, 'id');
    if (id === null || this.#parts.has(id)) return false;
    this.#parts.add(id);
    return true;
  }

  #onText(kind: 'text' | 'thinking', part: Shape): ReaderEvent[] {
    return this.#isNew(part) ? piece(kind, textAt(part, 'id') ?? '', textAt(part, 'text') ?? '') : [];
  }

  #onTool(part: Shape): ReaderEvent[] {
    if (!this.#isNew(part)) return [];
    const events = toolEvents(part, SOURCE);
    const refused = events.find((event) => event.type === 'denied');
    const said = textAt(shapeAt(part, 'state'), 'error') ?? '';
    if (refused !== undefined && isRejection(said)) this.#rejected = `${said.replace(/\.$/, '')}: ${refused.what}`;
    return events;
  }

  #onStep(part: Shape): ReaderEvent[] {
    if (!this.#isNew(part)) return [];
    const reason = textAt(part, 'reason') ?? '';
    this.#finished = reason !== GOES_ON;
    const survived = this.#finished ? this.#error : null;
    if (this.#finished) this.#error = null;
    this.#usage = added(this.#usage, part);
    const cut = Object.hasOwn(CUT_SHORT, reason) ? CUT_SHORT[reason] : undefined;
    return [
      ...(survived === null ? [] : [warning(survived)]),
      ...(cut === undefined ? [] : [warning(cut)]),
      { type: 'usage', usage: this.#usage },
    ];
  }
}

/** Each step reports its own: the turn's is their sum. Its `input` leaves out what was cached, its `output` the thinking. */
function added(sum: Usage | null, part: Shape): Usage {
  const tokens = shapeAt(part, 'tokens');
  const cache = shapeAt(tokens, 'cache');
  const input = total(integerAt(tokens, 'input'), integerAt(cache, 'read'), integerAt(cache, 'write'));
  const output = total(integerAt(tokens, 'output'), integerAt(tokens, 'reasoning'));
  const cost = typeof part.cost === 'number' && Number.isFinite(part.cost) ? part.cost : null;
  return {
    inputTokens: total(sum?.inputTokens ?? null, input),
    cachedInputTokens: total(sum?.cachedInputTokens ?? null, integerAt(cache, 'read')),
    outputTokens: total(sum?.outputTokens ?? null, output),
    costUsd: total(sum?.costUsd ?? null, cost),
  };
}

/** The sum of what was reported; `null` when nothing was. */
function total(...counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
