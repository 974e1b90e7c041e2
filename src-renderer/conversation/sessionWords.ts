import type { AgentStatus } from '../../src-shared/agents.ts';
import type { CommandDefinition } from '../../src-shared/commandDefinition.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import type { FreshReason, Replay } from '../../src-shared/events.ts';
import type { ConversationView } from '../state/view.ts';

const FRESH_BECAUSE: Readonly<Record<FreshReason, string>> = {
  'first-turn': 'it is the seat’s first turn',
  asked: 'you asked for a fresh one',
  'agent-changed': 'the seat’s agent was changed',
  'model-changed': 'the seat’s model was changed',
  'directory-changed': 'the working directory was changed',
  'no-sessions': 'the agent keeps no sessions',
};

/** Why a turn opened a new session, as a clause; `hasPrevious` says that the seat had a turn before. */
export function freshClause(reason: FreshReason, hasPrevious: boolean): string {
  if (reason === 'first-turn' && hasPrevious) return 'no turn before it got as far as a session';
  return FRESH_BECAUSE[reason];
}

/** “told 3 turns of the transcript, 2 older ones left out”. */
export function replayText({ turns, omittedTurns }: Replay): string {
  const told = `told ${turns} ${turns === 1 ? 'turn' : 'turns'} of the transcript`;
  return omittedTurns === 0
    ? told
    : `${told}, ${omittedTurns} older ${omittedTurns === 1 ? 'one' : 'ones'} left out because it did not fit`;
}

/** Whether what the seat said and heard before is known to its agent by itself. */
export function keepsSessions(agent: AgentStatus | undefined, definition: CommandDefinition | undefined): boolean {
  return definition === undefined ? agent?.capabilities.resume !== 'none' : definition.resume.kind !== 'none';
}

/** Whether a turn of this seat was begun, as far as the window has loaded them. */
export function hasBegun(view: ConversationView, seat: Seat): boolean {
  if (view.earlierTurns > 0) return true;
  return Object.values(view.turns).some(
    (turn) => (turn.state === 'running' || turn.state === 'ended') && turn.seatIds.includes(seat.id),
  );
}

/**
 * Why the next message of a seat that has spoken before finds an agent without memory of it; `null` when it is resumed,
 * and for a seat whose turns have not yet got as far as a session.
 */
export function freshNext(
  seat: Seat,
  agent: AgentStatus | undefined,
  definition: CommandDefinition | undefined,
): string | null {
  if (seat.sessionId !== null || seat.freshBecause === null) return null;
  if (seat.freshBecause !== 'first-turn') return FRESH_BECAUSE[seat.freshBecause];
  if (!keepsSessions(agent, definition)) return FRESH_BECAUSE['no-sessions'];
  return seat.replayNext ? FRESH_BECAUSE.asked : null;
}
