import type { ReaderEvent, Usage } from '../../../../src-shared/events.ts';
import { oneLine } from '../../../../src-shared/plainText.ts';
import type { ReaderReport, SeatReader } from '../agent.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { parseEvent, sessionEvents, warning } from '../reading.ts';
import { integerAt, isShape, type Shape, shapeAt, shapesAt, textAt } from '../shape.ts';
import { ToolCalls } from './calls.ts';
import { writeFailure } from './failure.ts';
import { Messages } from './messages.ts';
import { isClaudeSessionId } from './session.ts';

const MS_PER_SECOND = 1_000;

/** Reads the lines of `claude -p --output-format=stream-json` (Claude Code 2.1.197). */
export class ClaudeReader implements SeatReader {
  readonly #messages = new Messages();
  readonly #calls: ToolCalls;
  #session: string | null = null;
  #finished = false;
  #error: string | null = null;
  /** What an `assistant` event called an error: it is put in the place of a message, and is none. */
  #reported: { kind: string; text: string } | null = null;
  #resetsAt: number | null = null;
  #usage: Usage = { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null };
  #retrying = '';

  constructor(
    private readonly resuming: string | null,
    source: string,
  ) {
    this.#calls = new ToolCalls(source);
  }

  push(line: string): ReaderEvent[] {
    const event = parseEvent(line);
    if (event === null) return [];
    switch (event.type) {
      case 'system':
        return this.#onSystem(event);
      case 'stream_event':
        // What a helper says is between it and the agent; what it does is the seat's doing all the same.
        return isFromHelper(event) ? [] : this.#messages.onStreamed(shapeAt(event, 'event'));
      case 'assistant':
        return this.#onAssistant(event);
      case 'user':
        return this.#onUser(event);
      case 'rate_limit_event':
        return this.#onRateLimit(shapeAt(event, 'rate_limit_info'));
      case 'result':
        return this.#onResult(event);
      default:
        return [];
    }
  }

  end(): { events: ReaderEvent[]; report: ReaderReport } {
    // Without a `result` what was reported last is what went wrong.
    const error = this.#error ?? (this.#finished ? null : this.#failure());
    return { events: [], report: { finished: this.#finished, error } };
  }

  #onSystem(event: Shape): ReaderEvent[] {
    switch (event.subtype) {
      case 'init':
        return this.#onInit(textAt(event, 'session_id'));
      case 'api_retry':
        return this.#onRetry(event);
      case 'compact_boundary':
        return [{ type: 'notice', level: 'info', text: 'Claude Code shortened the session to go on in it.' }];
      case 'task_started':
        this.#calls.onBackground(textAt(event, 'task_id'), textAt(event, 'tool_use_id'));
        return [];
      case 'task_updated':
        return this.#calls.onBackgroundEnd(textAt(event, 'task_id'), textAt(shapeAt(event, 'patch'), 'status'));
      default:
        return [];
    }
  }

  #onInit(id: string | null): ReaderEvent[] {
    if (this.#session !== null) return [];
    const usable = isClaudeSessionId(id) ? id : null;
    this.#session = usable;
    return sessionEvents(usable, this.resuming);
  }

  #onRetry(event: Shape): ReaderEvent[] {
    const status = integerAt(event, 'error_status');
    const why = [textAt(event, 'error'), status === null ? null : `status ${status}`].filter((part) => part !== null);
    const text = oneLine(`Claude Code asks its provider again: ${why.join(', ')}.`, MAX_TOOL_TITLE_LENGTH);
    // Without a network the same words come again and again.
    if (text === this.#retrying) return [];
    this.#retrying = text;
    return [{ type: 'notice', level: 'info', text }];
  }

  #onAssistant(event: Shape): ReaderEvent[] {
    const content = shapesAt(shapeAt(event, 'message'), 'content');
    const kind = textAt(event, 'error');
    if (kind !== null) {
      const text = content.map((part) => textAt(part, 'text') ?? '').join('\n');
      if (!isFromHelper(event)) this.#reported = { kind, text };
      return [];
    }
    return content.flatMap((part) => {
      if (part.type === 'tool_use') return this.#calls.onCall(part);
      return isFromHelper(event) ? [] : this.#messages.onComplete(part);
    });
  }

  #onUser(event: Shape): ReaderEvent[] {
    const results = shapesAt(shapeAt(event, 'message'), 'content').filter(({ type }) => type === 'tool_result');
    // The details are of the event: of several results it is not said whose they are.
    const details = results.length === 1 ? event.tool_use_result : undefined;
    return results.flatMap((result) => this.#calls.onResult(result, details));
  }

  #onRateLimit(info: Shape): ReaderEvent[] {
    const seconds = integerAt(info, 'resetsAt');
    if (info.status === 'rejected' && seconds !== null) this.#resetsAt = seconds * MS_PER_SECOND;
    return [];
  }

  /** There is one for each answer: work in the background that ends later is answered again. */
  #onResult(event: Shape): ReaderEvent[] {
    const denials = shapesAt(event, 'permission_denials').flatMap((denial) => this.#calls.onDenial(denial));
    const failed = event.is_error === true || textAt(event, 'subtype') !== 'success';
    this.#finished = !failed;
    this.#error = failed ? this.#failureIn(event) : null;
    const told = failed ? [] : [...this.#survived(), ...this.#unsaid(event)];
    this.#reported = null;
    return [...denials, ...told, ...this.#onUsage(event)];
  }

  /** An error that the turn went on after. */
  #survived(): ReaderEvent[] {
    return this.#reported === null ? [] : [warning(oneLine(this.#reported.text, MAX_TOOL_TITLE_LENGTH))];
  }

  /** The answer stands in the result once more: for a turn of which no message was heard. */
  #unsaid(event: Shape): ReaderEvent[] {
    return this.#messages.isSilent ? this.#messages.onComplete({ type: 'text', text: event.result }) : [];
  }

  #onUsage(event: Shape): ReaderEvent[] {
    const spent = event.usage;
    if (!isShape(spent)) return [];
    const cached = integerAt(spent, 'cache_read_input_tokens');
    const fresh = [integerAt(spent, 'input_tokens'), integerAt(spent, 'cache_creation_input_tokens'), cached];
    const cost = event.total_cost_usd;
    this.#usage = {
      // The Messages API counts what the cache holds beside the input; elsewhere it is part of it.
      inputTokens: sum(this.#usage.inputTokens, ...fresh),
      cachedInputTokens: sum(this.#usage.cachedInputTokens, cached),
      outputTokens: sum(this.#usage.outputTokens, integerAt(spent, 'output_tokens')),
      // Tokens are those of one answer, the cost is that of all of them.
      costUsd: typeof cost === 'number' && Number.isFinite(cost) ? cost : this.#usage.costUsd,
    };
    return [{ type: 'usage', usage: this.#usage }];
  }

  #failureIn(event: Shape): string {
    const errors = Array.isArray(event.errors) ? event.errors.filter((error) => typeof error === 'string') : [];
    const words = textAt(event, 'result') || errors.join('\n');
    return (
      this.#failure(words) ?? writeFailure({ kind: 'unknown', resetsAt: this.#resetsAt, text: words || nameOf(event) })
    );
  }

  #failure(words = ''): string | null {
    if (this.#reported === null) return null;
    const { kind, text } = this.#reported;
    return writeFailure({ kind, resetsAt: this.#resetsAt, text: text || words });
  }
}

function isFromHelper(event: Shape): boolean {
  return textAt(event, 'parent_tool_use_id') !== null;
}

/** A failure without words has at least a name. */
function nameOf(event: Shape): string {
  return textAt(event, 'subtype') ?? 'it reported a failure without words';
}

/** The sum of what was reported; `null` when nothing was. */
function sum(...numbers: readonly (number | null)[]): number | null {
  const reported = numbers.filter((number) => number !== null);
  return reported.length === 0 ? null : reported.reduce((total, number) => total + number, 0);
}
