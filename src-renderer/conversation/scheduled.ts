import type { Seat, Turn } from '../../src-shared/conversations.ts';
import type { ConversationView } from '../state/view.ts';

/** The scheduled turn that sends the message of `turn` to the seat again, if there is one. */
export function scheduledAgain(view: ConversationView | null, turn: Turn, seat: Seat | undefined): Turn | undefined {
  if (view === null || seat === undefined) return undefined;
  const images = turn.attachments.map(({ id }) => id).join(' ');
  return Object.values(view.turns).find(
    (candidate) =>
      candidate.state === 'scheduled' &&
      candidate.text === turn.text &&
      candidate.attachments.map(({ id }) => id).join(' ') === images &&
      candidate.seatIds.includes(seat.id),
  );
}
