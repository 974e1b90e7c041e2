import { errorText, ParleyError } from '../../../src-shared/failure.ts';
import { compact } from './compaction.ts';
import type { AssistantMessage, ModelUsage, ToolCall, ToolMessage } from './messages.ts';
import type { ModelRequest } from './model.ts';
import { type ReplyEnd, readReply } from './reply.ts';
import type { Tool, ToolOutcome } from './tool.ts';
import { type BatchCall, runBatch } from './tools/index.ts';
import { type History, openHistory } from './turnHistory.ts';
import {
  DEFAULT_TURN_END_GRACE_MS,
  type NativeTurnEvent,
  type NativeTurnInput,
  type TurnParts,
  type TurnStop,
} from './turnTypes.ts';

/**
 * One turn: the model is asked, its calls are run, and so on until it stops, a limit is reached, or the turn is cancelled.
 * Ends in exactly one `turn-end`, whatever happens. Every call that was announced gets exactly one result, in the events
 * and in the history, before that; nothing of the turn has an effect after it.
 */
export async function* runTurn(parts: TurnParts, input: NativeTurnInput): AsyncGenerator<NativeTurnEvent, void> {
  const turn = new Turn(parts, input);
  try {
    yield* turn.run();
  } catch (error) {
    const failure = error instanceof ParleyError && error.code.startsWith('journal') ? 'journal' : 'other';
    yield turn.end({ kind: 'failed', failure, detail: errorText(error) });
  }
}

class Turn {
  readonly #signal: AbortSignal;
  readonly #graceMs: number;
  #history: History | null = null;
  #usage: ModelUsage | null = null;
  #pending: readonly string[] = [];

  constructor(
    private readonly parts: TurnParts,
    private readonly input: NativeTurnInput,
  ) {
    this.#signal = input.cancelToken ?? new AbortController().signal;
    this.#graceMs = input.turnEndGraceMs ?? DEFAULT_TURN_END_GRACE_MS;
  }

  async *run(): AsyncGenerator<NativeTurnEvent, void> {
    const { parts, input } = this;
    const { history, notices } = await openHistory(input);
    this.#history = history;
    for (const text of notices) yield { type: 'notice', text };
    await history.append([
      { role: 'user', text: input.promptText, attachments: [...input.attachments], kind: 'prompt' },
    ]);
    for (let step = 0; ; step++) {
      if (this.#signal.aborted) return yield this.end({ kind: 'interrupt' });
      if (step >= parts.maxSteps) return yield this.end({ kind: 'max-steps', limit: parts.maxSteps });
      yield* this.#compact(history);
      if (this.#signal.aborted) return yield this.end({ kind: 'interrupt' });
      try {
        parts.countModelCall();
      } catch (error) {
        return yield this.end({ kind: 'call-cap', detail: errorText(error) });
      }
      const reply = yield* readReply(parts.model, this.#request(history), parts.resilience, this.#signal, step);
      if (reply.kind !== 'complete') {
        if (reply.partial !== null) await history.append([reply.partial]);
        return yield this.end(stopOf(reply));
      }
      this.#count(reply.message.usage);
      if (reply.message.calls.length === 0) {
        if (reply.message.text.trim() === '' && reply.stop.kind !== 'refusal')
          return yield this.end({ kind: 'silent' });
        await history.append([reply.message]);
        return yield this.end(reply.stop.kind === 'tool-calls' ? { kind: 'end' } : reply.stop);
      }
      yield* this.#runCalls(history, reply.message, reply.truncated);
    }
  }

  end(stop: TurnStop): NativeTurnEvent {
    const isPersistent = this.input.contextPath !== undefined;
    return {
      type: 'turn-end',
      stop,
      usage: this.#usage,
      finalMessages: isPersistent ? [] : [...(this.#history?.messages ?? this.input.priorMessages)],
      pendingTools: this.#pending,
    };
  }

  #request(history: History): ModelRequest {
    const tools = this.parts.tools.map(({ spec }) => spec);
    return { system: this.input.systemPrompt ?? null, messages: history.messages, tools };
  }

  async *#compact(history: History): AsyncGenerator<NativeTurnEvent, void> {
    const done = await compact({ model: this.parts.model, request: this.#request(history), signal: this.#signal });
    if (done.kind === 'failed') {
      yield { type: 'notice', text: `The history could not be made shorter: ${done.message}` };
    }
    if (done.kind !== 'pruned' && done.kind !== 'summarised') return;
    if (done.kind === 'summarised') this.#count(done.usage);
    await history.rewrite(done.messages);
    const { messagesBefore, messagesAfter } = done.report;
    yield { type: 'compaction', messagesBefore, messagesAfter };
  }

  async *#runCalls(
    history: History,
    message: AssistantMessage,
    truncated: ReadonlySet<string>,
  ): AsyncGenerator<NativeTurnEvent, void> {
    // Written down before anything is done: after a crash the history says what was begun.
    await history.append([message]);
    const entries: BatchCall[] = [];
    for (const call of message.calls) {
      const tool = this.parts.tools.find(({ spec }) => spec.name === call.name) ?? null;
      yield { type: 'tool-call', call, title: tool?.title(call.input) ?? call.name };
      entries.push({ call, tool });
    }
    const settled = new Map<string, ToolOutcome>();
    const allowed: BatchCall[] = [];
    for (const entry of entries) {
      const refusal = await this.#refusalOf(entry, truncated);
      if (refusal === null) {
        allowed.push(entry);
      } else {
        settled.set(entry.call.id, refusal);
        yield { type: 'tool-result', call: entry.call, outcome: refusal };
      }
    }
    const results: { call: ToolCall; outcome: ToolOutcome }[] = [];
    let wake = () => {};
    const batch = runBatch(allowed, {
      signal: this.#signal,
      graceMs: this.#graceMs,
      contextOf: this.parts.contextOf,
      onResult: (call, outcome) => {
        results.push({ call, outcome });
        wake();
      },
    }).finally(() => wake());
    for (let told = 0; told < allowed.length; ) {
      const result = results[told];
      if (result === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (results.length > told) resolve();
        });
        continue;
      }
      told++;
      settled.set(result.call.id, result.outcome);
      yield { type: 'tool-result', ...result };
    }
    this.#pending = (await batch).pending;
    await history.append(message.calls.map((call) => toolMessage(call, settled.get(call.id))));
  }

  /** Why a call is not run at all; `null` when it is. */
  async #refusalOf({ call, tool }: BatchCall, truncated: ReadonlySet<string>): Promise<ToolOutcome | null> {
    const refused = (status: ToolOutcome['status'], text: string): ToolOutcome => ({ status, text, attachments: [] });
    if (this.#signal.aborted) return refused('interrupted', 'The turn was stopped before this was run.');
    if (truncated.has(call.id)) {
      return refused('failed', 'The token limit cut this call off, so it was not run. Do it in smaller pieces.');
    }
    if (tool === null) return refused('failed', `There is no tool “${call.name}”.`);
    const approval = await this.#approve(call, tool);
    if (this.#signal.aborted) return refused('interrupted', 'The turn was stopped before this was run.');
    return approval.kind === 'allowed' ? null : refused('denied', approval.reason);
  }

  async #approve(call: ToolCall, tool: Tool) {
    try {
      return await this.parts.approve(call, tool, this.#signal);
    } catch (error) {
      // Whatever kept the question from being answered, the call was not allowed.
      return { kind: 'denied' as const, reason: errorText(error) };
    }
  }

  #count(usage: ModelUsage | null): void {
    if (usage === null) return;
    const before = this.#usage;
    const sum = (name: keyof ModelUsage): number | null => {
      const [a, b] = [before?.[name] ?? null, usage[name]];
      return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
    };
    this.#usage = {
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cacheReadTokens: sum('cacheReadTokens'),
      cacheWriteTokens: sum('cacheWriteTokens'),
    };
  }
}

function stopOf(reply: Exclude<ReplyEnd, { kind: 'complete' }>): TurnStop {
  if (reply.kind === 'cancelled') return { kind: 'interrupt' };
  const { failure, partial } = reply;
  if (partial !== null && failure.retryable) return { kind: 'dropped', detail: failure.message };
  return { kind: 'failed', failure: failure.kind, detail: failure.message };
}

function toolMessage(call: ToolCall, outcome: ToolOutcome | undefined): ToolMessage {
  if (outcome === undefined) throw new Error(`no outcome of ${call.id}`);
  const { status, text, attachments } = outcome;
  return { role: 'tool', callId: call.id, status, text, attachments: [...attachments] };
}
