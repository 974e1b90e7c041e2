import { z } from 'zod';
import type { EvidenceRow } from '../../../src-shared/conversations.ts';
import type { CommandEvidence } from '../../../src-shared/events.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import { emptyInvocationState, type InvocationState, invocationState } from '../../../src-shared/fold.ts';
import {
  type ConversationId,
  conversationId,
  type InvocationId,
  invocationId,
  type RunId,
  runId,
  type SeatId,
  seatId,
  type TurnId,
  turnId,
} from '../../../src-shared/ids.ts';
import { type Database, mintId, type SqlValue } from '../storage/index.ts';

const row = z.object({
  id: invocationId,
  turn_id: turnId,
  seat_id: seatId,
  conversation_id: conversationId,
  run: runId,
  stem: z.string(),
  owner: z.string(),
  pid: z.number().nullable(),
  pid_started: z.string().nullable(),
  ended: z.number(),
});

/** What is stored of an invocation beside its state. */
export interface InvocationRecord {
  readonly id: InvocationId;
  readonly turnId: TurnId;
  readonly seatId: SeatId;
  readonly conversationId: ConversationId;
  readonly run: RunId;
  readonly stem: string;
  /** The engine that runs it. */
  readonly owner: string;
  readonly root: { readonly pid: number; readonly started: string } | null;
  readonly ended: boolean;
}

const SELECT = `
  select i.id, i.turn_id, i.seat_id, t.conversation_id, i.run, i.stem, i.owner, i.pid, i.pid_started, i.ended
  from invocations i join turns t on t.id = i.turn_id`;

function toRecord(raw: Record<string, unknown>): InvocationRecord {
  const record = row.parse(raw);
  return {
    id: record.id,
    turnId: record.turn_id,
    seatId: record.seat_id,
    conversationId: record.conversation_id,
    run: record.run,
    stem: record.stem,
    owner: record.owner,
    root: record.pid === null ? null : { pid: record.pid, started: record.pid_started ?? '' },
    ended: record.ended === 1,
  };
}

/** One statement for many rows: each statement costs more than a row of it does. */
const EVIDENCE_ROWS_PER_INSERT = 50;
const INSERT_EVIDENCE =
  'insert into evidence (invocation_id, position, id, description, exit_code, result_summary, source) values';
const EVIDENCE_ROW = '(?, ?, ?, ?, ?, ?, ?)';
const INSERT_ONE = `${INSERT_EVIDENCE} ${EVIDENCE_ROW}`;
const INSERT_MANY = `${INSERT_EVIDENCE} ${Array(EVIDENCE_ROWS_PER_INSERT).fill(EVIDENCE_ROW).join(', ')}`;

const evidenceFields = z.object({
  invocation_id: invocationId,
  seat_id: seatId,
  position: z.number(),
  id: z.string(),
  description: z.string(),
  exit_code: z.number().nullable(),
  result_summary: z.string(),
  source: z.string(),
});

export class InvocationStore {
  constructor(private readonly database: Database) {}

  create(fields: { turnId: TurnId; seatId: SeatId; run: RunId; stem: string; owner: string }): InvocationId {
    const id = mintId('inv', invocationId);
    this.database.run(
      `insert into invocations (id, turn_id, seat_id, run, stem, owner, state, created_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      fields.turnId,
      fields.seatId,
      fields.run,
      fields.stem,
      fields.owner,
      JSON.stringify(emptyInvocationState(id)),
      Date.now(),
    );
    return id;
  }

  setRoot(id: InvocationId, root: { pid: number; started: string }): void {
    this.database.run('update invocations set pid = ?, pid_started = ? where id = ?', root.pid, root.started, id);
  }

  /** Stores the folded state, and the evidence that came since the last time, in one transaction. */
  save(state: InvocationState, evidence: readonly CommandEvidence[], firstPosition: number): void {
    this.database.transaction(() => {
      const changed = this.database.run(
        'update invocations set state = ?, ended = ?, outcome = ? where id = ?',
        JSON.stringify(state),
        state.outcome === null ? 0 : 1,
        state.outcome?.kind ?? null,
        state.invocationId,
      );
      // Deleted while it ran: nothing may bring it back.
      if (changed > 0) this.#insertEvidence(state.invocationId, evidence, firstPosition);
    }, 'rebuildable');
  }

  /** Stores evidence alone: a flood of it does not write the whole state each time. */
  saveEvidence(id: InvocationId, evidence: readonly CommandEvidence[], firstPosition: number): void {
    this.database.transaction(() => this.#insertEvidence(id, evidence, firstPosition), 'rebuildable');
  }

  #insertEvidence(id: InvocationId, evidence: readonly CommandEvidence[], firstPosition: number): void {
    const rowOf = (item: CommandEvidence, index: number): SqlValue[] => [
      id,
      firstPosition + index,
      item.id,
      item.description,
      item.exitCode,
      item.resultSummary,
      item.source,
    ];
    const rows = evidence.map(rowOf);
    const whole = rows.length - (rows.length % EVIDENCE_ROWS_PER_INSERT);
    for (let start = 0; start < whole; start += EVIDENCE_ROWS_PER_INSERT) {
      this.database.run(INSERT_MANY, ...rows.slice(start, start + EVIDENCE_ROWS_PER_INSERT).flat());
    }
    for (const row of rows.slice(whole)) this.database.run(INSERT_ONE, ...row);
  }

  /** Before a spool is read anew. */
  clearEvidence(id: InvocationId): void {
    this.database.run('delete from evidence where invocation_id = ?', id);
  }

  /** @throws ParleyError `no-invocation` */
  get(id: InvocationId): InvocationRecord {
    const raw = this.database.get(`${SELECT} where i.id = ?`, id);
    if (raw === undefined) throw new ParleyError('no-invocation', `There is no invocation ${id}.`);
    return toRecord(raw);
  }

  /** @throws ParleyError `no-invocation` */
  state(id: InvocationId): InvocationState {
    const raw = this.database.get('select state from invocations where id = ?', id);
    if (raw === undefined) throw new ParleyError('no-invocation', `There is no invocation ${id}.`);
    return parseState(id, raw.state);
  }

  /** The seat's last invocation before this one that was really begun; `null` for its first. */
  previousOf(id: InvocationId, seat: SeatId): InvocationState | null {
    const states = this.database
      .all(
        `select id, state from invocations where seat_id = ? and ended = 1 and id <> ?
         and rowid < (select rowid from invocations where id = ?) order by rowid desc limit 5`,
        seat,
        id,
        id,
      )
      .map((raw) => parseState(invocationId.parse(raw.id), raw.state));
    return states.find(({ started }) => started !== null) ?? null;
  }

  statesOf(turn: TurnId): InvocationState[] {
    return this.database
      .all('select id, state from invocations where turn_id = ? order by created_at, rowid', turn)
      .map((raw) => parseState(invocationId.parse(raw.id), raw.state));
  }

  ofRun(run: RunId): InvocationRecord[] {
    return this.database.all(`${SELECT} where i.run = ? order by i.rowid`, run).map(toRecord);
  }

  /** Invocations without an end, of whatever owner. */
  open(): InvocationRecord[] {
    return this.database.all(`${SELECT} where i.ended = 0 order by i.rowid`).map(toRecord);
  }

  evidence(
    conversation: ConversationId,
    invocation: InvocationId | undefined,
    offset: number,
    limit: number,
  ): { rows: EvidenceRow[]; total: number } {
    const from = `
      from evidence e join invocations i on i.id = e.invocation_id join turns t on t.id = i.turn_id
      where t.conversation_id = ?${invocation === undefined ? '' : ' and i.id = ?'}`;
    const values = invocation === undefined ? [conversation] : [conversation, invocation];
    const rows = this.database
      .all(
        `select e.*, i.seat_id ${from} order by t.position, i.rowid, e.position limit ? offset ?`,
        ...values,
        limit,
        offset,
      )
      .map((raw) => {
        const record = evidenceFields.parse(raw);
        return {
          invocationId: record.invocation_id,
          seatId: record.seat_id,
          position: record.position,
          id: record.id,
          description: record.description,
          exitCode: record.exit_code,
          resultSummary: record.result_summary,
          source: record.source,
        };
      });
    return { rows, total: Number(this.database.get(`select count(*) as total ${from}`, ...values)?.total ?? 0) };
  }
}

/** A state that cannot be parsed is shown as one that knows nothing but its fault; the spool still has what was said. */
function parseState(id: InvocationId, stored: unknown): InvocationState {
  try {
    return invocationState.parse(JSON.parse(String(stored)));
  } catch {
    return {
      ...emptyInvocationState(id),
      outcome: {
        kind: 'failed',
        cause: { kind: 'internal', detail: 'the stored record of this run cannot be read; its artifacts are kept' },
        stderrTail: '',
      },
      endedAt: 0,
    };
  }
}
