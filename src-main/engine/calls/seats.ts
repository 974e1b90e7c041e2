import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentId } from '../../../src-shared/agents.ts';
import type { DefinitionId } from '../../../src-shared/commandDefinition.ts';
import type { Seat } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { ConversationId, SeatId } from '../../../src-shared/ids.ts';
import { DEFAULT_IDLE_TIMEOUT_MS, DEFAULT_TIMEOUT_MS } from '../../../src-shared/limits.ts';
import { agentById } from '../agents/index.ts';
import type { SeatChange } from '../conversations/index.ts';
import { busyError } from '../runner/index.ts';
import type { CallParts, Some } from './parts.ts';

/** A trial turn is one short answer; what takes longer does not work, ms. */
const TRIAL_TIMEOUT_MS = 3 * 60_000;
const TRIAL_MESSAGE = 'This is a trial. Answer with the one word: ready';

export interface SeatWish {
  readonly agent: AgentId;
  readonly definitionId?: DefinitionId | undefined;
  readonly model: string | null;
  readonly access: Seat['access'];
  readonly timeoutMs?: number | undefined;
}

/** Puts seats at a conversation's table, each with a name of its own. Inside the caller's transaction. */
export function takeSeats(parts: CallParts, conversation: ConversationId, wishes: readonly SeatWish[]): void {
  const taken: string[] = [];
  const preferences = parts.preferences();
  for (const [position, wish] of wishes.entries()) {
    const definition = definitionOf(parts, wish.agent, wish.definitionId ?? null);
    const name = nameSeat(definition?.name ?? agentById(wish.agent).label, taken);
    taken.push(name);
    parts.records.seats.create({
      conversationId: conversation,
      position,
      agent: wish.agent,
      definitionId: definition?.id ?? null,
      name,
      model: wish.model,
      access: wish.access,
      role: 'chat',
      timeoutMs: wish.timeoutMs ?? definition?.timeoutMs ?? preferences.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS,
      idleTimeoutMs:
        definition?.idleTimeoutMs ??
        (preferences.defaultIdleTimeoutMs === undefined ? DEFAULT_IDLE_TIMEOUT_MS : preferences.defaultIdleTimeoutMs),
    });
  }
}

function definitionOf(parts: CallParts, agent: AgentId, id: DefinitionId | null) {
  if (!agentById(agent).needsDefinition) return null;
  const definition = parts.preferences().commands.find((candidate) => candidate.id === id);
  if (definition !== undefined) return definition;
  throw new ParleyError(
    'no-definition',
    'This command is not described in the settings any more.',
    'Describe it in Settings, Commands, or choose another agent.',
  );
}

export function seatHandlers(
  parts: CallParts,
): Some<'updateSeat' | 'startFreshSession' | 'giveMoreTime' | 'startTrial'> {
  const { database, records, runner, publish } = parts;
  const update = (id: SeatId, change: SeatChange): { seat: Seat } => {
    const seat = records.seats.update(id, change);
    publish({ name: 'seat', payload: { seat } });
    publish({ name: 'conversation', payload: { conversation: records.conversations.get(seat.conversationId) } });
    return { seat };
  };
  return {
    updateSeat: ({ seatId, agent, definitionId, access, model, timeoutMs, idleTimeoutMs }) =>
      database.transaction(() => {
        const before = records.seats.get(seatId);
        const changesAgent =
          agent !== undefined && (agent !== before.agent || (definitionId ?? null) !== before.definitionId);
        const changesModel = model !== undefined && model !== before.model;
        // What runs was begun with the agent and the model it has; its session would be filed under the new ones.
        if ((changesAgent || changesModel) && records.conversations.get(before.conversationId).running > 0) {
          throw busyError();
        }
        return update(seatId, {
          ...(access === undefined ? {} : { access }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
          ...(changesModel ? { model, ...fresh(before, 'model-changed') } : {}),
          ...(changesAgent ? { ...agentChange(parts, before, agent, definitionId ?? null, model ?? null) } : {}),
        });
      }),
    startFreshSession: ({ seatId, replay }) => {
      const before = records.seats.get(seatId);
      return update(seatId, { ...(before.sessionId === null ? {} : fresh(before, 'asked')), replayNext: replay });
    },
    giveMoreTime: ({ invocationId }) => ({ clock: runner.giveMoreTime(invocationId) }),
    startTrial: async ({ agent, definitionId }) => {
      const label = definitionOf(parts, agent, definitionId ?? null)?.name ?? agentById(agent).label;
      const cwd = join(parts.about.dataDirectory, 'trials', definitionId ?? agent);
      await mkdir(cwd, { recursive: true, mode: 0o700 });
      const turn = database.transaction(() => {
        const conversationId = records.conversations.create({ kind: 'chat', cwd, title: `Trial of ${label}` });
        const wish = { agent, definitionId, model: null, access: 'read-only' as const, timeoutMs: TRIAL_TIMEOUT_MS };
        takeSeats(parts, conversationId, [wish]);
        const seatIds = records.seats.list(conversationId).map(({ id }) => id);
        return records.turns.add({
          conversationId,
          text: TRIAL_MESSAGE,
          attachmentIds: [],
          seatIds,
          owner: parts.owner,
        });
      });
      runner.publishTurn(turn);
      runner.drain(turn.conversationId);
      return { conversationId: turn.conversationId, turnId: turn.id };
    },
  };
}

/** A seat that has never had a turn has no session to lose. */
function fresh(seat: Seat, why: 'asked' | 'agent-changed' | 'model-changed'): SeatChange {
  return { sessionId: null, freshBecause: seat.freshBecause === 'first-turn' ? 'first-turn' : why };
}

function agentChange(
  parts: CallParts,
  before: Seat,
  agent: AgentId,
  definitionId: DefinitionId | null,
  model: string | null,
): SeatChange {
  const definition = definitionOf(parts, agent, definitionId);
  const others = parts.records.seats.list(before.conversationId).filter(({ id }) => id !== before.id);
  return {
    agent,
    definitionId: definition?.id ?? null,
    name: nameSeat(
      definition?.name ?? agentById(agent).label,
      others.map(({ name }) => name),
    ),
    model,
    ...fresh(before, 'agent-changed'),
  };
}

function nameSeat(label: string, taken: readonly string[]): string {
  if (!taken.includes(label)) return label;
  let number = 2;
  while (taken.includes(`${label} ${number}`)) number++;
  return `${label} ${number}`;
}
