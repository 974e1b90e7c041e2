import { z } from 'zod';
import { access, agentId } from './agents.ts';
import { attachmentId, conversationId, invocationId, runId, seatId, turnId } from './ids.ts';
import { outcome } from './outcome.ts';

/** A command that the agent's own event stream reported as finished. */
export const commandEvidence = z.object({
  /** The id that the agent gave it. */
  id: z.string(),
  /** The command, as reported. */
  description: z.string(),
  /** `null` means "not reported", never success. */
  exitCode: z.number().int().nullable(),
  /** The tail of its output. */
  resultSummary: z.string(),
  /** The stream it was read from, e.g. `codex`. */
  source: z.string(),
});
export type CommandEvidence = z.infer<typeof commandEvidence>;

/** One widening of a sandbox. */
export const grant = z.object({
  directory: z.string(),
  right: z.enum(['read', 'write']),
  reason: z.string(),
  /** How it was told to the CLI: the flag or variable; `none needed` where the CLI allows it anyway. */
  expressedAs: z.string(),
});
export type Grant = z.infer<typeof grant>;

/** Proof of how one attachment was handed to one seat. */
export const deliveryReceipt = z.object({
  attachmentId,
  name: z.string(),
  sha256: z.string(),
  bytes: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  path: z.string(),
  route: z.enum(['flag', 'mention', 'tool', 'inline']),
  /** Read and compared with its hash just before the process was started. */
  verified: z.boolean(),
});
export type DeliveryReceipt = z.infer<typeof deliveryReceipt>;

/** Tokens as the agent reported them; `null` where it reported none. */
export const usage = z.object({
  inputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** What the agent said that the turn cost, in US dollars. */
  costUsd: z.number().nullable().default(null),
});
export type Usage = z.infer<typeof usage>;

/** Why a turn opened a new session of the agent. */
export const freshReason = z.enum([
  'first-turn',
  'asked',
  'agent-changed',
  'model-changed',
  'directory-changed',
  /** The agent keeps no sessions. */
  'no-sessions',
]);
export type FreshReason = z.infer<typeof freshReason>;

/** What the seat's previous turn ran with, to compare this one with. */
export const previousTurn = z.object({
  invocationId,
  agent: agentId,
  model: z.string().nullable(),
  access,
  cwd: z.string(),
  sessionId: z.string().nullable(),
});
export type PreviousTurn = z.infer<typeof previousTurn>;

/** What was told of the transcript at the beginning of a fresh session. */
export const replay = z.object({
  turns: z.number().int(),
  /** Older turns that did not fit. */
  omittedTurns: z.number().int(),
  bytes: z.number().int(),
});
export type Replay = z.infer<typeof replay>;

export const origin = z.enum(['cli', 'web', 'api']);
export type Origin = z.infer<typeof origin>;

const started = z.object({
  type: z.literal('started'),
  conversationId,
  turnId,
  run: runId,
  node: z.string(),
  /** Artifacts of this invocation are named `<stem>.<kind>`. */
  stem: z.string(),
  seatId,
  agent: agentId,
  model: z.string().nullable(),
  access,
  cwd: z.string(),
  origin,
  /** Ms since the epoch. */
  at: z.number(),
  timeoutMs: z.number(),
  /** Program and arguments as executed; empty when nothing could be started. */
  commandLine: z.array(z.string()),
  /** Names of the variables that Parley set for the child; values are not kept. */
  environment: z.array(z.string()),
  grants: z.array(grant),
  deliveries: z.array(deliveryReceipt),
  /** What was asked of the agent's memory. The `session` event says what came of it. */
  resuming: z.string().nullable(),
  /** Why a new session was asked for; `null` when one was to be resumed. */
  freshBecause: freshReason.nullable().default(null),
  previous: previousTurn.nullable().default(null),
  replay: replay.nullable().default(null),
  /** What the agent's sandbox leaves open although the seat should not have it, in sentences. */
  caveats: z.array(z.string()).default([]),
  /** Ended when nothing was printed for so long, ms; `null` for no such limit. */
  idleTimeoutMs: z.number().nullable().default(null),
});

const session = z.object({
  type: z.literal('session'),
  sessionId: z.string(),
  /** `resumed`: the agent reported the id that was asked for. `replayed`: a fresh one that was given the transcript. */
  how: z.enum(['resumed', 'replayed', 'fresh']),
});

/** Appends `text` to the agent's message `messageId`. The answer is the last message. */
const text = z.object({ type: z.literal('text'), messageId: z.string(), text: z.string() });
const thinking = z.object({ type: z.literal('thinking'), messageId: z.string(), text: z.string() });

const toolCall = z.object({
  type: z.literal('tool-call'),
  callId: z.string(),
  tool: z.string(),
  /** One line for the card: the command, the path, the query. */
  title: z.string(),
});

const toolResult = z.object({
  type: z.literal('tool-result'),
  callId: z.string(),
  /** `unknown`: the stream reported an end, but neither success nor failure. */
  status: z.enum(['ok', 'failed', 'unknown']),
  /** The tail of the result. */
  output: z.string(),
  exitCode: z.number().int().nullable(),
});

const evidence = z.object({ type: z.literal('evidence'), evidence: commandEvidence });
/** A call that the agent's own rules refused. Where `callId` names a card, that card is the refused one. */
const denied = z.object({
  type: z.literal('denied'),
  callId: z.string().nullable().default(null),
  /** What was asked: the command, the path. */
  what: z.string(),
  reason: z.string(),
});
/** The stream shows that the agent read this file; an attachment's receipt says so then. */
const opened = z.object({ type: z.literal('opened'), path: z.string() });
const usageEvent = z.object({ type: z.literal('usage'), usage });
const notice = z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning']), text: z.string() });
const ended = z.object({ type: z.literal('ended'), outcome, at: z.number() });

/** What a reader makes of an agent's stream. */
export const readerEvent = z.discriminatedUnion('type', [
  session,
  text,
  thinking,
  toolCall,
  toolResult,
  evidence,
  denied,
  opened,
  usageEvent,
  notice,
]);
export type ReaderEvent = z.infer<typeof readerEvent>;

export const seatEventBody = z.discriminatedUnion('type', [started, ...readerEvent.options, ended]);
export type SeatEventBody = z.infer<typeof seatEventBody>;

/** What every invocation emits. `seq` starts at 0 and has no gaps; the last event is the only `ended`. */
export const seatEvent = z.intersection(z.object({ invocationId, seq: z.number().int().nonnegative() }), seatEventBody);
export type SeatEvent = z.infer<typeof seatEvent>;
export type StartedEvent = Extract<SeatEventBody, { type: 'started' }>;
