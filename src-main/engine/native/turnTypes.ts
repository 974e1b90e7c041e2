import type { ChatMessage, ModelUsage, ToolCall, UserAttachment } from './messages.ts';
import type { Model, ModelFailureKind } from './model.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** One turn of the in-process agent. */
export interface NativeTurnInput {
  /** Becomes a new user message after the history; may be empty when there are attachments. */
  readonly promptText: string;
  readonly systemPrompt?: string | null;
  readonly attachments: readonly UserAttachment[];
  readonly cancelToken?: AbortSignal;
  /** The history in in-memory mode; not looked at in persistent mode. */
  readonly priorMessages: readonly ChatMessage[];
  /** Persistent mode: the journal that is loaded at the start, appended to, and rewritten on compaction. */
  readonly contextPath?: string;
  /** How long tools in flight get after cancellation, ms; 0 drops them at once. */
  readonly turnEndGraceMs?: number;
}

export const DEFAULT_TURN_END_GRACE_MS = 1_000;

/** Why a turn ended. */
export type TurnStop =
  | { readonly kind: 'end' | 'max-tokens' | 'refusal' | 'interrupt' }
  | { readonly kind: 'other'; readonly reason: string }
  | { readonly kind: 'max-steps'; readonly limit: number }
  /** The invocation may make no more model calls. */
  | { readonly kind: 'call-cap'; readonly detail: string }
  /** The model said nothing and called nothing. */
  | { readonly kind: 'silent' }
  /** The stream broke off after something had been shown; what was shown is kept and marked. */
  | { readonly kind: 'dropped'; readonly detail: string }
  | { readonly kind: 'failed'; readonly failure: ModelFailureKind | 'journal'; readonly detail: string };

export type NativeTurnEvent =
  | { readonly type: 'text' | 'thinking'; readonly messageId: string; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall; readonly title: string }
  | { readonly type: 'tool-result'; readonly call: ToolCall; readonly outcome: ToolOutcome }
  | { readonly type: 'compaction'; readonly messagesBefore: number; readonly messagesAfter: number }
  | { readonly type: 'notice'; readonly text: string }
  | {
      readonly type: 'turn-end';
      readonly stop: TurnStop;
      /** Of every model call of the turn; `null` when none was reported. */
      readonly usage: ModelUsage | null;
      /** The whole history in in-memory mode; empty in persistent mode. */
      readonly finalMessages: readonly ChatMessage[];
      /** Ids of calls that were still unresolved. */
      readonly pendingTools: readonly string[];
    };

export type Approval = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly reason: string };

/** What a turn works with. */
export interface TurnParts {
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** Model replies in one turn. */
  readonly maxSteps: number;
  readonly resilience: Resilience;
  /** Called once before each step's model call, not for each try of it. Throws when the invocation may make no more. */
  countModelCall(): void;
  /** Waits without a clock; must end with the signal. */
  approve(call: ToolCall, tool: Tool, signal: AbortSignal): Promise<Approval>;
  contextOf(call: ToolCall): Omit<ToolContext, 'callId' | 'signal' | 'graceMs'>;
}

export interface Resilience {
  /** Without a chunk for so long a stream counts as broken, ms. */
  readonly idleMs: number;
  /** Tries of one reply, the first included. */
  readonly attempts: number;
  /** Before the second try, ms; doubled for each further one. What the provider asks for outranks it. */
  readonly backoffMs: number;
  /** The longest wait between two tries, ms. */
  readonly maxBackoffMs: number;
}
