import type { EngineEvent } from '../../src-shared/api.ts';
import type { ConversationId, SeatId, TurnId } from '../../src-shared/ids.ts';
import { describeOutcome } from '../../src-shared/outcome.ts';

export interface FinishedWork {
  title: string;
  body: string;
}

/** Follows the engine's events and gives the words for each turn that was seen running and has ended. */
export function createFinishedWork(): (event: EngineEvent) => FinishedWork | null {
  const titles = new Map<ConversationId, string>();
  const seatNames = new Map<SeatId, string>();
  const running = new Set<TurnId>();

  return (event) => {
    switch (event.name) {
      case 'conversation':
        titles.set(event.payload.conversation.id, event.payload.conversation.title);
        return null;
      case 'conversationRemoved':
        titles.delete(event.payload.conversationId);
        return null;
      case 'seat':
        seatNames.set(event.payload.seat.id, event.payload.seat.name);
        return null;
      case 'turn': {
        const { turn } = event.payload;
        if (turn.state === 'running') running.add(turn.id);
        if (turn.state !== 'ended' || !running.delete(turn.id)) return null;
        const sentences = turn.invocations.flatMap(({ outcome, started }) => {
          if (outcome === null) return [];
          const agent = started === null ? 'The agent' : (seatNames.get(started.seatId) ?? `The ${started.agent} seat`);
          return [describeOutcome(outcome, agent).sentence];
        });
        return { title: titles.get(turn.conversationId) ?? 'Parley', body: sentences.join('\n') };
      }
      default:
        return null;
    }
  };
}
