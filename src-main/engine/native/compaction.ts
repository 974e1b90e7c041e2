import {
  applyPlan,
  type Budgets,
  planSummary,
  pruneResults,
  shortenLastStep,
  withoutStaleUsage,
} from './compactionPlan.ts';
import { askForSummary, SUMMARY_SYSTEM, type SummaryReply, summaryRequest } from './compactionSummary.ts';
import { estimateRequest, fixedTokens, messagesTokens, textTokens } from './estimate.ts';
import type { ChatMessage, ModelUsage } from './messages.ts';
import type { Model, ModelFailure, ModelRequest } from './model.ts';

/**
 * Makes room in a history before it fills the model's window: outputs of old calls are taken out, and if that is not
 * enough, a summary takes the place of the older messages. Shares are of the window, or of what the system prompt and
 * the tools leave of it.
 */

/** A request with more than this is compacted: the rest is for the reply, and for what an estimate misses. */
const TRIGGER_SHARE = 0.8;
/** Taking outputs out is enough when a request then has at most this. */
const PRUNED_SHARE = 0.6;
const TAIL_SHARE = 0.25;
const PROMPTS_SHARE = 0.1;
const IMAGES_SHARE = 0.2;
const SUMMARY_SHARE = 0.08;
const GAIN_SHARE = 0.1;
/** In a small window, too. */
const LEAST_GAIN_TOKENS = 200;
/** A summary of more estimated tokens is no summary. */
const MAX_SUMMARY_TOKENS = 4000;
/** Of the window, that the request for a summary may fill. */
const SUMMARY_REQUEST_SHARE = 0.75;
/** In a tiny window, too: less is no transcript. */
const LEAST_TRANSCRIPT_TOKENS = 200;
/** How often that request is halved and sent again when the provider finds it too long. */
const MAX_HALVINGS = 2;

export interface CompactionInput {
  /** Retries, counts and watches its requests itself. */
  readonly model: Model;
  /** What would be sent. Its messages are a sound history: see `repairHistory`. */
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** Also below the threshold: the operator asked for it, or the provider said that the request is too long. */
  readonly isForced?: boolean;
}

export interface CompactionReport {
  /** Estimates of the whole request. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
}

/** How a compaction ended. Only `pruned` and `summarised` have another history. */
export type Compaction =
  | { readonly kind: 'unneeded'; readonly tokens: number }
  /** There is too much, and nothing that could be taken out. No model was asked. */
  | { readonly kind: 'futile'; readonly tokens: number }
  | {
      readonly kind: 'pruned';
      readonly messages: readonly ChatMessage[];
      readonly report: CompactionReport;
      /** Results whose output was taken out. */
      readonly results: number;
    }
  | {
      readonly kind: 'summarised';
      readonly messages: readonly ChatMessage[];
      readonly report: CompactionReport;
      /** Of the requests for the summary. */
      readonly usage: ModelUsage | null;
    }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** `null` when the model answered, and not with a summary that helps. */
      readonly failure: ModelFailure | null;
      readonly usage: ModelUsage | null;
    };

/** Compacts when there is need. Does not throw, and leaves `request` as it is. */
export async function compact({ model, request, signal, isForced = false }: CompactionInput): Promise<Compaction> {
  const { tokens, scale } = estimateRequest(request);
  if (!isForced && tokens <= model.contextWindow * TRIGGER_SHARE) return { kind: 'unneeded', tokens };
  if (signal.aborted) return { kind: 'cancelled' };
  // Forced, the window is no greater than what is in it: it may be smaller than it was said to be.
  const window = Math.max(1, isForced ? Math.min(model.contextWindow, tokens) : model.contextWindow);
  const budgets = budgetsOf(window, fixedTokens(request), scale);
  const reportOf = (messages: readonly ChatMessage[]): CompactionReport => {
    const left = fixedTokens(request) + messagesTokens(messages);
    const gone = fixedTokens(request) + messagesTokens(request.messages) - left;
    return {
      tokensBefore: tokens,
      tokensAfter: Math.round(Math.max(left * Math.min(1, scale), tokens - gone * scale)),
      messagesBefore: request.messages.length,
      messagesAfter: messages.length,
    };
  };

  const shortened = shortenLastStep(request.messages, budgets.tail);
  const pruned = pruneResults(shortened, budgets.tail);
  const withoutOutputs = withoutStaleUsage(request.messages, pruned.messages);
  const gain = messagesTokens(request.messages) - messagesTokens(withoutOutputs);
  const isEnough = estimateRequest({ ...request, messages: withoutOutputs }).tokens <= window * PRUNED_SHARE;
  if (isEnough && gain >= budgets.leastGain) {
    return { kind: 'pruned', messages: withoutOutputs, report: reportOf(withoutOutputs), results: pruned.results };
  }

  const plan = planSummary(shortened, budgets);
  if (plan === null) {
    // What can be done without a model is better than nothing, when there is need.
    if (gain < budgets.leastGain) return { kind: 'futile', tokens };
    return { kind: 'pruned', messages: withoutOutputs, report: reportOf(withoutOutputs), results: pruned.results };
  }
  const reply = await summarise(model, plan.head, window, scale, budgets.summary, signal);
  if (reply.kind !== 'summary') return reply;
  const messages = applyPlan(plan, reply.text, budgets);
  return { kind: 'summarised', messages, report: reportOf(messages), usage: reply.usage };
}

/** In estimated tokens. An estimate that was too high where the provider counted may be right elsewhere: it stays. */
function budgetsOf(window: number, fixed: number, scale: number): Budgets {
  const estimated = Math.max(1, scale);
  const room = Math.max(0, window / estimated - fixed);
  return {
    tail: room * TAIL_SHARE,
    prompts: room * PROMPTS_SHARE,
    images: room * IMAGES_SHARE,
    summary: Math.floor(Math.min(MAX_SUMMARY_TOKENS, room * SUMMARY_SHARE)),
    leastGain: Math.max(LEAST_GAIN_TOKENS, room * GAIN_SHARE),
  };
}

/** A request for a summary is near the limit itself: it is shortened before it is sent, and again when it is refused. */
async function summarise(
  model: Model,
  head: readonly ChatMessage[],
  window: number,
  scale: number,
  summaryTokens: number,
  signal: AbortSignal,
): Promise<SummaryReply> {
  let budget = (window * SUMMARY_REQUEST_SHARE) / Math.max(1, scale) - textTokens(SUMMARY_SYSTEM);
  for (let halvings = 0; ; halvings += 1) {
    const allowed = Math.floor(Math.max(LEAST_TRANSCRIPT_TOKENS, budget));
    const request = summaryRequest(head, allowed, summaryTokens);
    const reply = await askForSummary(model, request, signal);
    const isTooLong = reply.kind === 'failed' && reply.failure?.kind === 'context-overflow';
    if (!isTooLong || halvings >= MAX_HALVINGS) return reply;
    // Half of what was sent: that may have been less than it was allowed to be.
    budget = Math.min(budget, messagesTokens(request.messages)) / 2;
  }
}
