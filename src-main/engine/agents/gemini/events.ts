import type { ReaderEvent } from '../../../../src-shared/events.ts';
import type { ReaderReport, SeatReader } from '../agent.ts';
import { isSessionId, parseEvent, piece, sessionEvents, warning } from '../reading.ts';
import { integerAt, type Shape, shapeAt, textAt } from '../shape.ts';
import { resultEvents, type ToolCall, toolCard } from './tools.ts';

const UNKNOWN_CALL: ToolCall = { name: 'tool', parameters: {} };

/** Reads the JSON lines of `gemini --output-format stream-json` (gemini-cli 0.61). */
export class GeminiReader implements SeatReader {
  #session: string | null = null;
  #finished = false;
  #error: string | null = null;
  /** Messages have no ids: one ends where a tool is called. */
  #message = 0;
  #isOpen = false;
  readonly #calls = new Map<string, ToolCall>();

  constructor(private readonly resuming: string | null) {}

  push(line: string): ReaderEvent[] {
    const event = parseEvent(line);
    if (event === null) return [];
    switch (event.type) {
      case 'init':
        return this.#onInit(textAt(event, 'session_id'));
      case 'message':
        return this.#onMessage(event);
      case 'tool_use':
        return this.#onCall(event);
      case 'tool_result':
        return this.#onResult(event);
      case 'error':
        return this.#onError(event);
      case 'result':
        return this.#onEnd(event);
      default:
        return [];
    }
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    return { events: [], report: { finished: this.#finished, error: this.#error } };
  }

  #onInit(id: string | null): ReaderEvent[] {
    if (isSessionId(id)) {
      if (this.#session !== null) return [];
      this.#session = id;
    }
    return sessionEvents(id, this.resuming);
  }

  #onMessage(event: Shape): ReaderEvent[] {
    // It repeats the operator's message first.
    if (event.role !== 'assistant') return [];
    const isDelta = event.delta === true;
    if (!isDelta) this.#isOpen = false;
    if (!this.#isOpen) this.#message++;
    this.#isOpen = isDelta;
    return piece('text', `message-${this.#message}`, textAt(event, 'content') ?? '');
  }

  #onCall(event: Shape): ReaderEvent[] {
    this.#isOpen = false;
    const callId = textAt(event, 'tool_id');
    if (callId === null || this.#calls.has(callId)) return [];
    const call: ToolCall = { name: textAt(event, 'tool_name') ?? 'tool', parameters: shapeAt(event, 'parameters') };
    this.#calls.set(callId, call);
    return [{ type: 'tool-call', callId, ...toolCard(call) }];
  }

  #onResult(event: Shape): ReaderEvent[] {
    this.#isOpen = false;
    const callId = textAt(event, 'tool_id');
    if (callId === null) return [];
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (call !== undefined) return resultEvents(callId, call, event, 'gemini');
    const unknown: ReaderEvent = { type: 'tool-call', callId, ...toolCard(UNKNOWN_CALL) };
    return [unknown, ...resultEvents(callId, UNKNOWN_CALL, event, 'gemini')];
  }

  /** One of severity `error` is the turn's end unless the result says otherwise. */
  #onError(event: Shape): ReaderEvent[] {
    const message = textAt(event, 'message') ?? '';
    if (message === '') return [];
    if (event.severity !== 'error') return [warning(message)];
    this.#error = message;
    return [];
  }

  #onEnd(event: Shape): ReaderEvent[] {
    const survived = this.#error;
    this.#finished = event.status === 'success';
    this.#error = this.#finished
      ? null
      : (textAt(shapeAt(event, 'error'), 'message') ?? survived ?? 'it reported a failure without words');
    return [
      ...(this.#finished && survived !== null ? [warning(survived)] : []),
      ...usageEvents(shapeAt(event, 'stats')),
    ];
  }
}

/** What failed before it began is reported with zeros, which say nothing. */
function usageEvents(stats: Shape): ReaderEvent[] {
  if (integerAt(stats, 'total_tokens') === 0) return [];
  const usage = {
    inputTokens: integerAt(stats, 'input_tokens'),
    cachedInputTokens: integerAt(stats, 'cached'),
    outputTokens: integerAt(stats, 'output_tokens'),
    costUsd: null,
  };
  return [{ type: 'usage', usage }];
}
