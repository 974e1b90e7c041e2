import { z } from 'zod';
import { type Turn, turnState } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import {
  type AttachmentId,
  type ConversationId,
  conversationId,
  type RunId,
  runId,
  type SeatId,
  seatId,
  type TurnId,
  turnId,
} from '../../../src-shared/ids.ts';
import { TURN_PAGE_SIZE } from '../../../src-shared/limits.ts';
import { type Database, mintId } from '../storage/index.ts';
import type { AttachmentStore } from './attachments.ts';
import type { InvocationStore } from './invocations.ts';

const row = z.object({
  id: turnId,
  conversation_id: conversationId,
  position: z.number(),
  run: runId,
  state: turnState,
  owner: z.string(),
  text: z.string(),
  start_at: z.number().nullable(),
  created_at: z.number(),
});
type Row = z.infer<typeof row>;

/** States of a turn that has not been begun, for SQL. */
const WAITING = "'queued', 'held', 'scheduled'";

export interface NewTurn {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly attachmentIds: readonly AttachmentId[];
  readonly seatIds: readonly SeatId[];
  /** The engine that took the message, and that will start it. */
  readonly owner: string;
  /** When it goes out, ms since the epoch; left out, as soon as it can. */
  readonly startAt?: number;
}

export class TurnStore {
  constructor(
    private readonly database: Database,
    private readonly attachments: AttachmentStore,
    private readonly invocations: InvocationStore,
  ) {}

  /** Stores an operator's message as a queued turn. */
  add(fields: NewTurn): Turn {
    const id = mintId('turn', turnId);
    this.database.transaction(() => {
      this.database.run(
        `insert into turns (id, conversation_id, position, run, state, owner, text, start_at, created_at)
         values (?, ?, (select coalesce(max(position), -1) + 1 from turns where conversation_id = ?), ?, ?, ?, ?, ?, ?)`,
        id,
        fields.conversationId,
        fields.conversationId,
        mintId('run', runId),
        fields.startAt === undefined ? 'queued' : 'scheduled',
        fields.owner,
        fields.text,
        fields.startAt ?? null,
        Date.now(),
      );
      this.#setAttachments(id, fields.conversationId, fields.attachmentIds);
      for (const [position, seat] of fields.seatIds.entries()) {
        this.database.run('insert into turn_seats (turn_id, seat_id, position) values (?, ?, ?)', id, seat, position);
      }
    });
    return this.get(id);
  }

  /** @throws ParleyError `no-turn` */
  get(id: TurnId): Turn {
    const raw = this.database.get('select * from turns where id = ?', id);
    if (raw === undefined)
      throw new ParleyError('no-turn', 'This message is no longer there.', 'It may have been removed.');
    return this.#toTurn(row.parse(raw));
  }

  find(id: TurnId): Turn | null {
    const raw = this.database.get('select * from turns where id = ?', id);
    return raw === undefined ? null : this.#toTurn(row.parse(raw));
  }

  /** The last page of what was begun, oldest first, and everything that waits. */
  latest(conversation: ConversationId): { turns: Turn[]; earlierTurns: number } {
    const begun = this.#page(conversation, Number.MAX_SAFE_INTEGER, TURN_PAGE_SIZE);
    const waiting = this.database
      .all(`select * from turns where conversation_id = ? and state in (${WAITING}) order by position`, conversation)
      .map((raw) => this.#toTurn(row.parse(raw)));
    return { turns: [...begun.turns, ...waiting], earlierTurns: begun.earlierTurns };
  }

  before(conversation: ConversationId, position: number, limit: number): { turns: Turn[]; earlierTurns: number } {
    return this.#page(conversation, position, limit);
  }

  runsOf(conversation: ConversationId): RunId[] {
    return this.database
      .all('select run from turns where conversation_id = ?', conversation)
      .map((raw) => runId.parse(raw.run));
  }

  /** The next turn that `owner` has to start. */
  next(conversation: ConversationId, owner: string): Turn | null {
    const raw = this.database.get(
      `select * from turns where conversation_id = ? and state = 'queued' and owner = ?
       order by position limit 1`,
      conversation,
      owner,
    );
    return raw === undefined ? null : this.#toTurn(row.parse(raw));
  }

  /** Moves a turn on, if it still is in state `from`. Returns whether it was. */
  advance(id: TurnId, from: Turn['state'], to: Turn['state']): boolean {
    return this.database.run('update turns set state = ? where id = ? and state = ?', to, id, from) > 0;
  }

  /** Running turns without an invocation that is open: what was left when an engine died between two writes. */
  endAbandoned(): void {
    this.database.run(
      `update turns set state = 'ended' where state = 'running'
       and not exists (select 1 from invocations i where i.turn_id = turns.id and i.ended = 0)`,
    );
  }

  /** Changes a message that waits. Refused when it has changed since the operator looked, or has been started. */
  edit(id: TurnId, expectedText: string, text: string, attachmentIds: readonly AttachmentId[]): Turn {
    this.database.transaction(() => {
      const changed = this.database.run(
        `update turns set text = ? where id = ? and text = ? and state in (${WAITING})`,
        text,
        id,
        expectedText,
      );
      if (changed === 0) throw notWaiting();
      this.#setAttachments(id, this.get(id).conversationId, attachmentIds);
    });
    return this.get(id);
  }

  /** Removes a message that waits. */
  removeWaiting(id: TurnId): void {
    if (this.database.run(`delete from turns where id = ? and state in (${WAITING})`, id) === 0) throw notWaiting();
  }

  /** The engines that turns wait for. */
  owners(): string[] {
    return this.database.all("select distinct owner from turns where state = 'queued'").map((raw) => String(raw.owner));
  }

  /** What waited for an engine that is no longer there waits for the operator. */
  hold(owner: string): void {
    this.database.run("update turns set state = 'held' where state = 'queued' and owner = ?", owner);
  }

  /** What was held goes out, by `owner`. */
  release(conversation: ConversationId, owner: string): Turn[] {
    return this.database.transaction(() => {
      const held = this.database.all("select id from turns where conversation_id = ? and state = 'held'", conversation);
      this.database.run(
        "update turns set state = 'queued', owner = ? where conversation_id = ? and state = 'held'",
        owner,
        conversation,
      );
      return held.map((raw) => this.get(turnId.parse(raw.id)));
    });
  }

  /** When the next scheduled turn is due, ms since the epoch; `null` when none is scheduled. */
  nextDue(): number | null {
    const raw = this.database.get("select min(start_at) as at from turns where state = 'scheduled'");
    return raw?.at === null || raw?.at === undefined ? null : Number(raw.at);
  }

  /** Takes the scheduled turns that are due for `owner`. Of several engines exactly one gets each. */
  claimDue(owner: string, now: number): Turn[] {
    return this.database.transaction(() => {
      const due = this.database.all("select id from turns where state = 'scheduled' and start_at <= ?", now);
      return due.map((raw) => this.#claim(turnId.parse(raw.id), owner));
    });
  }

  /** Takes one scheduled turn before its time. */
  claimScheduled(id: TurnId, owner: string): Turn {
    return this.database.transaction(() => {
      if (this.get(id).state !== 'scheduled') throw notWaiting();
      return this.#claim(id, owner);
    });
  }

  #claim(id: TurnId, owner: string): Turn {
    // What was said meanwhile stands before it.
    this.database.run(
      `update turns set state = 'queued', owner = ?, position = (select max(position) + 1 from turns t
         where t.conversation_id = turns.conversation_id) where id = ? and state = 'scheduled'`,
      owner,
      id,
    );
    return this.get(id);
  }

  /** Turns that were begun before `position`, oldest first, for telling a fresh session what was said. */
  begunBefore(conversation: ConversationId, position: number): Turn[] {
    return this.database
      .all(
        "select * from turns where conversation_id = ? and position < ? and state in ('running', 'ended') order by position",
        conversation,
        position,
      )
      .map((raw) => this.#toTurn(row.parse(raw)));
  }

  #page(conversation: ConversationId, before: number, limit: number): { turns: Turn[]; earlierTurns: number } {
    const condition = "conversation_id = ? and position < ? and state in ('running', 'ended')";
    const turns = this.database
      .all(`select * from turns where ${condition} order by position desc limit ?`, conversation, before, limit)
      .map((raw) => this.#toTurn(row.parse(raw)))
      .reverse();
    const first = turns[0];
    const earlier = first
      ? this.database.get(`select count(*) as n from turns where ${condition}`, conversation, first.position)
      : undefined;
    return { turns, earlierTurns: Number(earlier?.n ?? 0) };
  }

  #setAttachments(id: TurnId, conversation: ConversationId, attachmentIds: readonly AttachmentId[]): void {
    this.database.run('delete from turn_attachments where turn_id = ?', id);
    for (const [position, attachment] of [...new Set(attachmentIds)].entries()) {
      if (this.attachments.get(attachment).conversationId !== conversation) {
        throw new ParleyError('foreign-attachment', 'An image of another conversation cannot be sent here.');
      }
      this.database.run(
        'insert into turn_attachments (turn_id, attachment_id, position) values (?, ?, ?)',
        id,
        attachment,
        position,
      );
    }
  }

  #toTurn(record: Row): Turn {
    return {
      id: record.id,
      conversationId: record.conversation_id,
      position: record.position,
      run: record.run,
      state: record.state,
      text: record.text,
      attachments: this.attachments.listed('turn_attachments', record.id),
      seatIds: this.database
        .all('select seat_id from turn_seats where turn_id = ? order by position', record.id)
        .map((raw) => seatId.parse(raw.seat_id)),
      invocations: this.invocations.statesOf(record.id),
      startAt: record.start_at,
      createdAt: record.created_at,
    };
  }
}

function notWaiting(): ParleyError {
  return new ParleyError(
    'not-waiting',
    'This message has been started or changed in the meantime.',
    'Look at it again before you change it.',
  );
}
