import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { oneLine } from '../../../../src-shared/plainText.ts';
import type { ReaderReport, SeatReader } from '../agent.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { isSessionId, parseEvent, piece, sessionEvents, warning } from '../reading.ts';
import { integerAt, type Shape, shapeAt, textAt } from '../shape.ts';
import { commandEvidence, toolCard, toolResult } from './items.ts';

/** codex-cli 0.171, on a model that it has no built-in description of. The turn is not harmed. */
const FALLBACK_METADATA = /fallback metadata/i;
/** codex-cli 0.171, before it tries again by itself. */
const RECONNECTING = /^Reconnecting\b/;

/** Reads the JSON lines of `codex exec --json` (codex-cli 0.171); `source` names the agent in the evidence. */
export class CodexReader implements SeatReader {
  #session: string | null = null;
  #finished = false;
  #error: string | null = null;
  /** What was passed on of messages that are not complete yet. */
  readonly #open = new Map<string, string>();
  readonly #closed = new Set<string>();
  readonly #calls = new Set<string>();
  #again = 0;
  #reconnecting = '';

  constructor(
    private readonly resuming: string | null,
    private readonly source: string,
  ) {}

  push(line: string): ReaderEvent[] {
    const event = parseEvent(line);
    if (event === null) return [];
    switch (event.type) {
      case 'thread.started':
        return this.#onThread(textAt(event, 'thread_id'));
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#onItem(event.type, shapeAt(event, 'item'));
      case 'turn.completed':
        return this.#onFinished(shapeAt(event, 'usage'));
      case 'turn.failed':
        this.#finished = false;
        this.#error =
          textAt(shapeAt(event, 'error'), 'message') ?? this.#error ?? 'it reported a failure without words';
        return [];
      case 'error':
        return this.#onError(textAt(event, 'message'));
      default:
        return [];
    }
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    return { events: [], report: { finished: this.#finished, error: this.#error } };
  }

  #onThread(id: string | null): ReaderEvent[] {
    if (isSessionId(id)) {
      if (this.#session !== null) return [];
      this.#session = id;
    }
    return sessionEvents(id, this.resuming);
  }

  #onItem(step: 'item.started' | 'item.updated' | 'item.completed', item: Shape): ReaderEvent[] {
    const id = textAt(item, 'id');
    const type = textAt(item, 'type');
    if (type === null) return [];
    switch (type) {
      case 'agent_message':
        return this.#onText('text', id ?? '', textAt(item, 'text'), step === 'item.completed');
      case 'reasoning':
        return this.#onText('thinking', id ?? '', textAt(item, 'text'), step === 'item.completed');
      case 'error': {
        const message = textAt(item, 'message') ?? '';
        if (step !== 'item.completed' || message === '') return [];
        return [{ type: 'notice', level: FALLBACK_METADATA.test(message) ? 'info' : 'warning', text: message }];
      }
      default:
        return id === null ? [] : this.#onTool(step, id, type, item);
    }
  }

  /** Texts come whole; should they come in pieces, each piece repeats what was said before. */
  #onText(kind: 'text' | 'thinking', id: string, text: string | null, complete: boolean): ReaderEvent[] {
    if (text === null) return [];
    const key = `${kind} ${id}`;
    const said = this.#open.get(key);
    if (complete) {
      this.#open.delete(key);
      const known = said !== undefined || this.#closed.has(key);
      this.#closed.add(key);
      if (said !== undefined && text.startsWith(said)) return piece(kind, id, text.slice(said.length));
      // What was said cannot be taken back: a text that does not go on from it is a message of its own.
      return piece(kind, known ? `${id}#${++this.#again}` : id, text);
    }
    if (said === undefined ? this.#closed.has(key) : !text.startsWith(said)) return [];
    this.#open.set(key, text);
    return piece(kind, id, text.slice(said?.length ?? 0));
  }

  #onTool(
    step: 'item.started' | 'item.updated' | 'item.completed',
    id: string,
    type: string,
    item: Shape,
  ): ReaderEvent[] {
    if (step === 'item.updated') return [];
    const events: ReaderEvent[] = [];
    if (!this.#calls.has(id)) {
      this.#calls.add(id);
      events.push({ type: 'tool-call', callId: id, ...toolCard(type, item) });
    }
    if (step === 'item.started') return events;
    this.#calls.delete(id);
    const status = textAt(item, 'status');
    if (status === 'declined') {
      const what = textAt(item, 'command') ?? toolCard(type, item).title;
      events.push({ type: 'denied', callId: id, what: oneLine(what, MAX_TOOL_TITLE_LENGTH), reason: 'declined' });
      return events;
    }
    // An item that is handed over while it runs was not reported as finished, whatever the event is called.
    if (status === 'in_progress') return events;
    events.push({ type: 'tool-result', callId: id, ...toolResult(type, item) });
    if (type === 'command_execution') events.push(commandEvidence(id, item, this.source));
    return events;
  }

  #onFinished(usage: Shape): ReaderEvent[] {
    this.#finished = true;
    const survived = this.#error;
    this.#error = null;
    return [
      ...(survived === null ? [] : [warning(survived)]),
      {
        type: 'usage',
        usage: {
          inputTokens: integerAt(usage, 'input_tokens'),
          cachedInputTokens: integerAt(usage, 'cached_input_tokens'),
          outputTokens: integerAt(usage, 'output_tokens'),
          costUsd: null,
        },
      },
    ];
  }

  /** An error is the turn's end only when nothing follows it; one that is tried again is told as it comes. */
  #onError(message: string | null): ReaderEvent[] {
    if (message === null || message === '') return [];
    if (RECONNECTING.test(message)) {
      // Without a network the same words come every few seconds for as long as it lasts.
      if (message === this.#reconnecting) return [];
      this.#reconnecting = message;
      return [{ type: 'notice', level: 'info', text: message }];
    }
    this.#error = message;
    return [];
  }
}
