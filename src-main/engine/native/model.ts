import type { ChatMessage, ModelUsage, ToolCall } from './messages.ts';

/** What a model is offered to call. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: string | null;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Why a model stopped, as far as the loop has to know. `other` keeps the provider's word. */
export type StopReason =
  | { readonly kind: 'end' }
  | { readonly kind: 'tool-calls' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'other'; readonly reason: string };

/** One piece of a reply. A stream ends with exactly one `finish`, or it throws a {@link ModelFailure}. */
export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string | null }
  /** A call began to be written: a sign of life, and of progress that was shown. */
  | { readonly type: 'call-start'; readonly id: string; readonly name: string }
  /** A whole call. `truncated`: the token limit cut its arguments off, so it must never be executed. */
  | { readonly type: 'call'; readonly call: ToolCall; readonly truncated: boolean }
  | { readonly type: 'finish'; readonly stop: StopReason; readonly usage: ModelUsage | null };

export type ModelFailureKind =
  | 'rate-limit'
  | 'usage-limit'
  | 'auth'
  | 'context-overflow'
  | 'model-not-found'
  | 'bad-request'
  | 'server'
  | 'network'
  /** The stream ended without its protocol's end mark. */
  | 'dropped'
  | 'other';

/** A request that failed, in the provider's words. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    /** When the provider wants to be asked again, ms from now; `null` when it did not say. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether asking again the same way may go well. */
  get retryable(): boolean {
    return ['rate-limit', 'server', 'network', 'dropped'].includes(this.kind);
  }
}

/** A model behind a connection. Every call streams; the signal ends it in every phase. */
export interface Model {
  /** As it is shown and counted. */
  readonly id: string;
  /** Tokens that a request and its reply may have together. */
  readonly contextWindow: number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}
