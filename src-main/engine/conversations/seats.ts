import { z } from 'zod';
import { access, agentId } from '../../../src-shared/agents.ts';
import { definitionId } from '../../../src-shared/commandDefinition.ts';
import type { Seat } from '../../../src-shared/conversations.ts';
import { freshReason } from '../../../src-shared/events.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import { type ConversationId, conversationId, type SeatId, seatId } from '../../../src-shared/ids.ts';
import { type Database, mintId } from '../storage/index.ts';

const row = z.object({
  id: seatId,
  conversation_id: conversationId,
  position: z.number(),
  agent: agentId,
  name: z.string(),
  model: z.string().nullable(),
  access,
  role: z.string(),
  timeout_ms: z.number(),
  session_id: z.string().nullable(),
  definition_id: definitionId.nullable(),
  idle_timeout_ms: z.number().nullable(),
  fresh_because: freshReason.nullable(),
  replay_next: z.number(),
});

function toSeat(raw: Record<string, unknown>): Seat {
  const record = row.parse(raw);
  return {
    id: record.id,
    conversationId: record.conversation_id,
    position: record.position,
    agent: record.agent,
    name: record.name,
    model: record.model,
    access: record.access,
    role: record.role,
    timeoutMs: record.timeout_ms,
    sessionId: record.session_id,
    definitionId: record.definition_id,
    idleTimeoutMs: record.idle_timeout_ms,
    freshBecause: record.session_id === null ? (record.fresh_because ?? 'asked') : null,
    replayNext: record.replay_next === 1,
  };
}

export type NewSeat = Omit<Seat, 'id' | 'sessionId' | 'freshBecause' | 'replayNext'>;
export type SeatChange = Partial<Omit<Seat, 'id' | 'conversationId' | 'position' | 'role'>>;

export class SeatStore {
  constructor(private readonly database: Database) {}

  create(fields: NewSeat): Seat {
    const seat: Seat = {
      ...fields,
      id: mintId('seat', seatId),
      sessionId: null,
      freshBecause: 'first-turn',
      replayNext: false,
    };
    this.database.run(
      `insert into seats (id, conversation_id, position, agent, name, model, access, role, timeout_ms, session_id,
         definition_id, idle_timeout_ms, fresh_because)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, ?)`,
      seat.id,
      seat.conversationId,
      seat.position,
      seat.agent,
      seat.name,
      seat.model,
      seat.access,
      seat.role,
      seat.timeoutMs,
      seat.definitionId,
      seat.idleTimeoutMs,
      seat.freshBecause,
    );
    return seat;
  }

  list(conversation: ConversationId): Seat[] {
    return this.database
      .all('select * from seats where conversation_id = ? order by position', conversation)
      .map(toSeat);
  }

  /** @throws ParleyError `no-seat` */
  get(id: SeatId): Seat {
    const raw = this.database.get('select * from seats where id = ?', id);
    if (raw === undefined) throw new ParleyError('no-seat', `There is no seat ${id}.`);
    return toSeat(raw);
  }

  /** Whoever wrote the seat meanwhile is respected: only the named fields change. */
  update(id: SeatId, change: SeatChange): Seat {
    return this.database.transaction(() => {
      const changed = { ...this.get(id), ...change };
      // A seat that has a session resumes it; one that has none says why.
      const seat = changed.sessionId === null ? changed : { ...changed, freshBecause: null, replayNext: false };
      this.database.run(
        `update seats set agent = ?, name = ?, access = ?, model = ?, timeout_ms = ?, session_id = ?, definition_id = ?,
           idle_timeout_ms = ?, fresh_because = ?, replay_next = ? where id = ?`,
        seat.agent,
        seat.name,
        seat.access,
        seat.model,
        seat.timeoutMs,
        seat.sessionId,
        seat.definitionId,
        seat.idleTimeoutMs,
        seat.freshBecause,
        seat.replayNext ? 1 : 0,
        id,
      );
      return seat;
    });
  }
}
