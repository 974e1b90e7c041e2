import { z } from 'zod';
import { access, agentId } from '../../../src-shared/agents.ts';
import type { Seat } from '../../../src-shared/conversations.ts';
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
  };
}

export type NewSeat = Omit<Seat, 'id' | 'sessionId'>;
export type SeatChange = Partial<Pick<Seat, 'access' | 'model' | 'timeoutMs' | 'sessionId'>>;

export class SeatStore {
  constructor(private readonly database: Database) {}

  create(fields: NewSeat): Seat {
    const seat: Seat = { ...fields, id: mintId('seat', seatId), sessionId: null };
    this.database.run(
      `insert into seats (id, conversation_id, position, agent, name, model, access, role, timeout_ms, session_id)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)`,
      seat.id,
      seat.conversationId,
      seat.position,
      seat.agent,
      seat.name,
      seat.model,
      seat.access,
      seat.role,
      seat.timeoutMs,
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
      const seat = { ...this.get(id), ...change };
      this.database.run(
        'update seats set access = ?, model = ?, timeout_ms = ?, session_id = ? where id = ?',
        seat.access,
        seat.model,
        seat.timeoutMs,
        seat.sessionId,
        id,
      );
      return seat;
    });
  }
}
