import type { Turn } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { AttachmentId, ConversationId, SeatId } from '../../../src-shared/ids.ts';
import { MAX_MESSAGE_BYTES } from '../../../src-shared/limits.ts';
import { titleFrom } from '../conversations/index.ts';
import type { CallParts, Some } from './parts.ts';

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
  const send = (
    conversation: ConversationId,
    text: string,
    attachmentIds: readonly AttachmentId[],
    seatIds: readonly SeatId[] | undefined,
    before: (turn: Turn) => void,
  ): { turn: Turn } => {
    checkMessage(text, attachmentIds);
    const turn = database.transaction(() => {
      records.conversations.get(conversation);
      const addressed = seatsOf(conversation, seatIds);
      const added = records.turns.add({ conversationId: conversation, text, attachmentIds, seatIds: addressed, owner });
      if (added.position === 0) {
        records.conversations.nameAfter(conversation, titleFrom(text, added.attachments[0]?.name));
      }
      records.conversations.touch(conversation);
      before(added);
      return added;
    });
    runner.publishTurn(turn);
    runner.drain(conversation);
    return { turn };
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
      send(conversationId, text, attachmentIds, seatIds, () => records.drafts.clearSent(conversationId, attachmentIds)),
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
    sendAgain: ({ turnId, without, seatIds: wanted }) => {
      const { conversationId, text, attachments, seatIds } = records.turns.get(turnId);
      const kept = attachments.map((attachment) => attachment.id).filter((id) => !without.includes(id));
      return send(conversationId, text, kept, wanted ?? seatIds, () => {});
    },
    continueThen: ({ turnId, at, seatIds: wanted }) => {
      const { conversationId, text, attachments, seatIds } = records.turns.get(turnId);
      const turn = records.turns.add({
        conversationId,
        text,
        attachmentIds: attachments.map(({ id }) => id),
        seatIds: seatsOf(conversationId, wanted ?? seatIds),
        owner,
        startAt: at,
      });
      runner.publishTurn(turn);
      runner.schedule();
      return { turn };
    },
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
