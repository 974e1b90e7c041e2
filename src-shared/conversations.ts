import { z } from 'zod';
import { access, agentId } from './agents.ts';
import { attachment } from './attachments.ts';
import { definitionId } from './commandDefinition.ts';
import { freshReason } from './events.ts';
import { invocationState } from './fold.ts';
import { conversationId, invocationId, runId, seatId, turnId } from './ids.ts';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from './limits.ts';

/** A limit of an invocation, ms. */
export const timeoutMs = z.number().int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS);

export const seat = z.object({
  id: seatId,
  conversationId,
  /** From 0, in the order in which the seats were taken. */
  position: z.number().int(),
  agent: agentId,
  /** Unique within the conversation: the agent's label, numbered when it is taken twice. */
  name: z.string(),
  model: z.string().nullable(),
  access,
  /** The node under which its work is filed (`MAGI_NODE`). */
  role: z.string(),
  /** The operator's description of the program; only of a `command` seat. */
  definitionId: definitionId.nullable(),
  timeoutMs: z.number().int(),
  /** Ended when nothing was printed for so long, ms; `null` for no such limit. */
  idleTimeoutMs: z.number().int().nullable(),
  /** The agent's own session of this seat; `null` before its first turn and after a fresh start was asked for. */
  sessionId: z.string().nullable(),
  /** Why the next turn opens a new session; `null` when it resumes one. */
  freshBecause: freshReason.nullable(),
  /** Whether the next turn tells the fresh session what was said before. */
  replayNext: z.boolean(),
});
export type Seat = z.infer<typeof seat>;

/**
 * `queued`: waits for the turn before it. `held`: was queued when Parley ended, and waits for the operator.
 * `scheduled`: goes out at its `startAt`, whether Parley runs until then or not. `running`; `ended`: every invocation has
 * its outcome.
 */
export const turnState = z.enum(['queued', 'held', 'scheduled', 'running', 'ended']);

/** One operator message and the replies to it. */
export const turn = z.object({
  id: turnId,
  conversationId,
  /** From 0, in the order of sending. One that went out at its own time has taken a new place, after what was said before it. */
  position: z.number().int(),
  run: runId,
  state: turnState,
  text: z.string(),
  attachments: z.array(attachment),
  /** The seats it is addressed to. */
  seatIds: z.array(seatId),
  invocations: z.array(invocationState),
  /** When a scheduled turn goes out, ms since the epoch. */
  startAt: z.number().nullable(),
  /** Ms since the epoch. */
  createdAt: z.number(),
});
export type Turn = z.infer<typeof turn>;

export const conversationKind = z.enum(['chat', 'talk']);
export const conversationSummary = z.object({
  id: conversationId,
  kind: conversationKind,
  title: z.string(),
  /** Whether the operator named it; otherwise the title is the first line of the first message. */
  titled: z.boolean(),
  cwd: z.string(),
  agents: z.array(agentId),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Seats that are working now. */
  running: z.number().int(),
  queued: z.number().int(),
  /** How its last invocation ended, if that needs the operator's eye. */
  attention: z.enum(['none', 'failed', 'interrupted']),
});
export type ConversationSummary = z.infer<typeof conversationSummary>;

/** The clocks of a running invocation. Times are ms since the epoch. */
export const clock = z.object({
  invocationId,
  wallEndsAt: z.number(),
  /** `null` without an idle limit, or while something waits for the operator. */
  idleEndsAt: z.number().nullable(),
});
export type Clock = z.infer<typeof clock>;

export const draft = z.object({ text: z.string(), attachments: z.array(attachment) });
export type Draft = z.infer<typeof draft>;

/** What a window needs to show a conversation: the end of its transcript, and all that is queued. */
export const conversationSnapshot = z.object({
  conversation: conversationSummary,
  seats: z.array(seat),
  /** The last page of turns, oldest first, and every queued or held one. */
  turns: z.array(turn),
  /** Turns before the first of `turns`. */
  earlierTurns: z.number().int(),
  draft,
  /** Of the invocations that run in this engine. */
  clocks: z.array(clock),
  /** Whether the working directory is there. */
  cwdExists: z.boolean(),
});
export type ConversationSnapshot = z.infer<typeof conversationSnapshot>;

export const newSeat = z.object({
  agent: agentId,
  model: z.string().trim().min(1).max(200).nullable().default(null),
  access: access.default('read-only'),
  timeoutMs: z.number().int().optional(),
  /** Of a `command` seat. */
  definitionId: definitionId.optional(),
});

export const evidenceRow = z.object({
  invocationId,
  seatId,
  /** Position within its invocation, from 0. */
  position: z.number().int(),
  id: z.string(),
  description: z.string(),
  exitCode: z.number().int().nullable(),
  resultSummary: z.string(),
  source: z.string(),
});
export type EvidenceRow = z.infer<typeof evidenceRow>;

export const artifact = z.object({
  run: runId,
  /** File name; `<stem>.<kind>`. */
  name: z.string(),
  invocationId: invocationId.nullable(),
  kind: z.enum(['prompt', 'stdout', 'stderr', 'meta', 'other']),
  bytes: z.number().int(),
  mime: z.string(),
});
export type Artifact = z.infer<typeof artifact>;
