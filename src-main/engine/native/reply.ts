import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../../src-shared/failure.ts';
import type { AssistantMessage, ToolCall } from './messages.ts';
import { type Model, type ModelChunk, ModelFailure, type ModelRequest, type StopReason } from './model.ts';
import type { NativeTurnEvent, Resilience } from './turnTypes.ts';

/** What came of asking for a reply. `partial` is what was shown of one that did not come to its end; `null` for nothing. */
export type ReplyEnd =
  | {
      readonly kind: 'complete';
      readonly message: AssistantMessage;
      readonly stop: StopReason;
      /** Calls whose arguments the token limit cut off. */
      readonly truncated: ReadonlySet<string>;
    }
  | { readonly kind: 'cancelled'; readonly partial: AssistantMessage | null }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly partial: AssistantMessage | null };

type TextEvent = Extract<NativeTurnEvent, { type: 'text' | 'thinking' }>;

/**
 * Asks for one reply and passes on what it shows. A stream that breaks before anything was shown is asked for again, a
 * bounded number of times; after that it is over with what was shown.
 */
export async function* readReply(
  model: Model,
  request: ModelRequest,
  resilience: Resilience,
  signal: AbortSignal,
  step: number,
): AsyncGenerator<TextEvent, ReplyEnd> {
  for (let attempt = 1; ; attempt++) {
    const draft = new Draft(step);
    try {
      for await (const chunk of watched(model, request, resilience.idleMs, signal)) {
        const event = draft.take(chunk);
        if (event !== null) yield event;
      }
      const complete = draft.complete();
      if (complete !== null) return complete;
      throw new ModelFailure('dropped', 'the reply ended before it was complete');
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled', partial: draft.partial() };
      const failure = error instanceof ModelFailure ? error : new ModelFailure('other', errorText(error));
      const partial = draft.partial();
      const isLast = attempt >= resilience.attempts;
      if (!failure.retryable || draft.hasShown || isLast) return { kind: 'failed', failure, partial };
      const wait = failure.retryAfterMs ?? resilience.backoffMs * 2 ** (attempt - 1);
      // A provider that wants to be left alone for longer than a turn waits is taken at its word: the turn ends.
      if (wait > resilience.maxBackoffMs && failure.retryAfterMs !== null) return { kind: 'failed', failure, partial };
      const waited = await delay(Math.min(wait, resilience.maxBackoffMs), true, { signal }).catch(() => false);
      if (!waited) return { kind: 'cancelled', partial };
    }
  }
}

/** The model's chunks, ended by the signal and by silence, whether the model listens to its signal or not. */
async function* watched(
  model: Model,
  request: ModelRequest,
  idleMs: number,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk> {
  const own = new AbortController();
  const chunks = model.stream(request, AbortSignal.any([signal, own.signal]))[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await nextWithin(chunks.next(), idleMs, signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    own.abort();
    // It ends by the signal; how does not matter any more.
    void Promise.resolve(chunks.return?.()).catch(() => {});
  }
}

function nextWithin<Value>(next: Promise<Value>, idleMs: number, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const timer = setTimeout(() => {
      const seconds = Math.round(idleMs / 1000);
      reject(new ModelFailure('network', `the model showed no sign of life for ${seconds} s`));
    }, idleMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    next.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  });
}

/** A reply while it comes in. */
class Draft {
  #text = '';
  #thinking = '';
  #signature: string | null = null;
  #held = '';
  #shown = false;
  readonly #calls: ToolCall[] = [];
  readonly #truncated = new Set<string>();
  #finish: Extract<ModelChunk, { type: 'finish' }> | null = null;

  constructor(private readonly step: number) {}

  /** Whether the operator has seen anything of it: then it cannot be asked for again. */
  get hasShown(): boolean {
    return this.#shown;
  }

  take(chunk: ModelChunk): TextEvent | null {
    switch (chunk.type) {
      case 'text':
        return this.#onText(chunk.text);
      case 'thinking':
        this.#thinking += chunk.text;
        this.#signature = chunk.signature ?? this.#signature;
        if (chunk.text === '') return null;
        this.#shown = true;
        return { type: 'thinking', messageId: `thinking-${this.step}`, text: chunk.text };
      case 'call-start':
        this.#shown = true;
        return null;
      case 'call':
        this.#calls.push(chunk.call);
        if (chunk.truncated) this.#truncated.add(chunk.call.id);
        return null;
      case 'finish':
        this.#finish = chunk;
        return null;
    }
  }

  /** Blank text is withheld until something visible follows it. */
  #onText(text: string): TextEvent | null {
    this.#text += text;
    this.#held += text;
    if (!this.#shown && this.#held.trim() === '') return null;
    const held = this.#held;
    this.#held = '';
    this.#shown = true;
    return held === '' ? null : { type: 'text', messageId: `message-${this.step}`, text: held };
  }

  complete(): Extract<ReplyEnd, { kind: 'complete' }> | null {
    if (this.#finish === null) return null;
    const { stop, usage } = this.#finish;
    const message = { ...this.#message(false), calls: [...this.#calls], usage };
    return { kind: 'complete', message, stop, truncated: this.#truncated };
  }

  /** What was shown; calls are not in it, for none of them was announced. */
  partial(): AssistantMessage | null {
    return this.#text.trim() === '' ? null : this.#message(true);
  }

  #message(partial: boolean): AssistantMessage {
    const thinking = this.#thinking === '' ? null : { text: this.#thinking, signature: this.#signature };
    return { role: 'assistant', text: this.#text, thinking, calls: [], usage: null, partial };
  }
}
