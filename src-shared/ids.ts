import { z } from 'zod';

/**
 * Ids are minted by the engine as `<prefix>-<yyyymmdd>-<hhmmss>-<8 hex>`: readable, sortable, and safe as one path
 * segment on every platform. Whatever comes from outside is checked for this shape before a path is built from it.
 */
export const ID_PATTERN = /^[a-z]{2,5}-\d{8}-\d{6}-[0-9a-f]{8}$/;

const id = <Brand extends string>(prefix: string) =>
  z.string().regex(ID_PATTERN, `not a ${prefix} id`).startsWith(`${prefix}-`, `not a ${prefix} id`).brand<Brand>();

export const conversationId = id<'ConversationId'>('conv');
export const seatId = id<'SeatId'>('seat');
export const turnId = id<'TurnId'>('turn');
export const runId = id<'RunId'>('run');
export const invocationId = id<'InvocationId'>('inv');
export const attachmentId = id<'AttachmentId'>('att');

export type ConversationId = z.infer<typeof conversationId>;
export type SeatId = z.infer<typeof seatId>;
export type TurnId = z.infer<typeof turnId>;
/** The id under which the work of one turn is filed; exported to the child as `MAGI_RUN`. */
export type RunId = z.infer<typeof runId>;
export type InvocationId = z.infer<typeof invocationId>;
export type AttachmentId = z.infer<typeof attachmentId>;

/** Formats an id from its parts; `hex` is 8 random hexadecimal digits and `at` is ms since the epoch (UTC). */
export function formatId(prefix: string, at: number, hex: string): string {
  const stamp = new Date(at).toISOString().replace(/[-:]/g, '');
  return `${prefix}-${stamp.slice(0, 8)}-${stamp.slice(9, 15)}-${hex}`;
}
