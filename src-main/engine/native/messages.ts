import { z } from 'zod';

/** The history of a native seat: what a model is sent, and what the journal keeps. */

export const imageMime = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** An image in a message. `file` is read when a request is made: the journal holds no pixels. */
export const userAttachment = z.object({
  kind: z.literal('image'),
  mime: imageMime,
  /** Absolute path of the durable copy. */
  path: z.string(),
  name: z.string(),
  bytes: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
});
export type UserAttachment = z.infer<typeof userAttachment>;

/**
 * Tokens of one model call, or of a turn; `null` where the provider reported none. `inputTokens` is all that went in:
 * what was read from the provider's cache and what was written to it are parts of it, whatever the provider counts.
 */
export const modelUsage = z.object({
  inputTokens: z.number().int().nullable().default(null),
  outputTokens: z.number().int().nullable().default(null),
  cacheReadTokens: z.number().int().nullable().default(null),
  cacheWriteTokens: z.number().int().nullable().default(null),
});
export type ModelUsage = z.infer<typeof modelUsage>;

export const toolCall = z.object({
  /** Unique in a history and not empty; where it was not, `repairHistory` gives another. */
  id: z.string(),
  name: z.string(),
  /** Parsed arguments. */
  input: z.unknown(),
});
export type ToolCall = z.infer<typeof toolCall>;

export const userMessage = z.object({
  role: z.literal('user'),
  text: z.string(),
  attachments: z.array(userAttachment).default([]),
  /** `summary`: what a compaction put in the place of older messages. */
  kind: z.enum(['prompt', 'summary']).default('prompt'),
});

export const assistantMessage = z.object({
  role: z.literal('assistant'),
  text: z.string(),
  thinking: z.object({ text: z.string(), signature: z.string().nullable() }).nullable().default(null),
  calls: z.array(toolCall).default([]),
  /** Of the call that this is the answer to; `null` too when the messages before it are no longer what was sent. */
  usage: modelUsage.nullable().default(null),
  /** The stream ended before the message did: what is here was shown, and is not the whole. */
  partial: z.boolean().default(false),
});

export const toolMessage = z.object({
  role: z.literal('tool'),
  callId: z.string(),
  /** `interrupted`: the turn ended before the tool did. `missing`: no result was found when the history was read. */
  status: z.enum(['ok', 'failed', 'denied', 'interrupted', 'missing']),
  text: z.string(),
  attachments: z.array(userAttachment).default([]),
});

export const chatMessage = z.discriminatedUnion('role', [userMessage, assistantMessage, toolMessage]);
export type ChatMessage = z.infer<typeof chatMessage>;
export type UserMessage = z.infer<typeof userMessage>;
export type AssistantMessage = z.infer<typeof assistantMessage>;
export type ToolMessage = z.infer<typeof toolMessage>;
