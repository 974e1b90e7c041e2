import type { Turn } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { AttachmentId, ConversationId, SeatId, TurnId } from '../../../src-shared/ids.ts';
import { MAX_MESSAGE_BYTES } from '../../../src-shared/limits.ts';
import { titleFrom } from '../conversations/index.ts';
import type { CallParts, Some } from './parts.ts';

interface Sending {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly attachmentIds: readonly AttachmentId[];
  /** All seats when it is left out. */
  readonly seatIds: readonly SeatId[] | undefined;
  /** When it goes out, ms since the epoch; as soon as it can, when it is left out. */
  readonly startAt?: number;
  /** Done in the same transaction. */
  alongside?(): void;
}

/** What the operator writes, and what becomes of it. */
export function messageHandlers(
  parts: CallParts,
): Some<
  | 'saveDraft'
  | 'addAttachment'
  | 'removeAttachment'
  | 'sendMessage'
  | 'editQueued'
  | 'removeQueued'
  | 'releaseHeld'
  | 'sendAgain'
  | 'continueThen'
  | 'sendScheduledNow'
  | 'stopTurn'
> {
  const { database, records, runner, publish, owner } = parts;
  const seatsOf = (conversation: ConversationId, wanted: readonly SeatId[] | undefined): readonly SeatId[] => {
    const seats = records.seats.list(conversation).map((seat) => seat.id);
    const addressed = wanted ?? seats;
    if (addressed.every((id) => seats.includes(id))) return addressed;
    throw new ParleyError('no-seat', 'The message is addressed to a seat that is not at this table.');
  };
  const send = ({ conversationId, text, attachmentIds, seatIds, startAt, alongside }: Sending): { turn: Turn } => {
    checkMessage(text, attachmentIds);
    const turn = database.transaction(() => {
      records.conversations.get(conversationId);
      const added = records.turns.add({
        conversationId,
        text,
        attachmentIds,
        seatIds: seatsOf(conversationId, seatIds),
        owner,
        ...(startAt === undefined ? {} : { startAt }),
      });
      if (added.position === 0) {
        records.conversations.nameAfter(conversationId, titleFrom(text, added.attachments[0]?.name));
      }
      records.conversations.touch(conversationId);
      alongside?.();
      return added;
    });
    runner.publishTurn(turn);
    if (startAt === undefined) runner.drain(conversationId);
    else runner.schedule();
    return { turn };
  };
  /** What a turn was sent with, to be sent once more. */
  const again = (turnId: TurnId, wanted: readonly SeatId[] | undefined, without: readonly AttachmentId[]): Sending => {
    const { conversationId, text, attachments, seatIds } = records.turns.get(turnId);
    const attachmentIds = attachments.map(({ id }) => id).filter((id) => !without.includes(id));
    return { conversationId, text, attachmentIds, seatIds: wanted ?? seatIds };
  };
  return {
    saveDraft: ({ conversationId, text, attachmentIds }) => {
      records.conversations.get(conversationId);
      checkLength(text);
      return { draft: records.drafts.save(conversationId, text, attachmentIds) };
    },
    addAttachment: async ({ conversationId, name, declaredType, bytes }) => {
      records.conversations.get(conversationId);
      records.drafts.checkRoom(conversationId, name);
      const attachment = await records.attachments.add(conversationId, { name, declaredType, bytes }, (added) =>
        records.drafts.append(conversationId, added),
      );
      return { attachment };
    },
    removeAttachment: async ({ conversationId, attachmentId }) => {
      const draft = records.drafts.remove(conversationId, attachmentId);
      await records.attachments.collect(conversationId);
      return { draft };
    },
    sendMessage: ({ conversationId, text, attachmentIds, seatIds }) =>
      send({
        conversationId,
        text,
        attachmentIds,
        seatIds,
        alongside: () => records.drafts.clearSent(conversationId, attachmentIds),
      }),
    editQueued: async ({ turnId, expectedText, text, attachmentIds }) => {
      checkMessage(text, attachmentIds);
      const turn = records.turns.edit(turnId, expectedText, text, attachmentIds);
      await records.attachments.collect(turn.conversationId);
      runner.publishTurn(turn);
      return { turn };
    },
    removeQueued: async ({ turnId }) => {
      const { conversationId } = records.turns.get(turnId);
      records.turns.removeWaiting(turnId);
      publish({ name: 'turnRemoved', payload: { conversationId, turnId } });
      publish({ name: 'conversation', payload: { conversation: records.conversations.get(conversationId) } });
      await records.attachments.collect(conversationId);
      return {};
    },
    releaseHeld: ({ conversationId }) => {
      for (const turn of records.turns.release(conversationId, owner)) runner.publishTurn(turn);
      runner.drain(conversationId);
      return {};
    },
    sendAgain: ({ turnId, without, seatIds }) => send(again(turnId, seatIds, without)),
    continueThen: ({ turnId, at, seatIds }) => send({ ...again(turnId, seatIds, []), startAt: at }),
    sendScheduledNow: ({ turnId }) => {
      const turn = records.turns.claimScheduled(turnId, owner);
      runner.publishTurn(turn);
      runner.drain(turn.conversationId);
      return { turn };
    },
    stopTurn: async ({ conversationId }) => ({ stopped: await runner.stop(conversationId) }),
  };
}

function checkLength(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new ParleyError(
      'message-too-long',
      `The message has ${Math.ceil(bytes / 1024 / 1024)} MiB; the limit is ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB.`,
      'Save the long part as a file in the working directory and name the file instead.',
    );
  }
}

function checkMessage(text: string, attachmentIds: readonly AttachmentId[]): void {
  if (text.trim() === '' && attachmentIds.length === 0) {
    throw new ParleyError('empty-message', 'There is nothing to send yet.', 'Write something, or attach an image.');
  }
  checkLength(text);
}
