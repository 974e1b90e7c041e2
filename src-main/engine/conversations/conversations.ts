import { z } from 'zod';
import { agentId } from '../../../src-shared/agents.ts';
import { type ConversationSummary, conversationKind, conversationSummary } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import { type ConversationId, conversationId } from '../../../src-shared/ids.ts';
import { MAX_TITLE_LENGTH } from '../../../src-shared/limits.ts';
import { type Database, mintId } from '../storage/index.ts';

/** A title made from a message, cut at this many UTF-16 code units. */
const MADE_TITLE_LENGTH = 80;

const row = z.object({
  id: conversationId,
  kind: conversationKind,
  title: z.string(),
  titled: z.number(),
  cwd: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  agents: z.string(),
  running: z.number(),
  queued: z.number(),
  last_outcome: z.string().nullable(),
});

const SELECT_SUMMARY = `
  select c.*,
    (select json_group_array(agent) from (select agent from seats where conversation_id = c.id order by position)) as agents,
    (select count(*) from invocations i join turns t on t.id = i.turn_id where t.conversation_id = c.id and i.ended = 0) as running,
    (select count(*) from turns where conversation_id = c.id and state in ('queued', 'held', 'scheduled')) as queued,
    (select i.outcome from invocations i join turns t on t.id = i.turn_id where t.conversation_id = c.id and i.ended = 1
      order by t.position desc, i.outcome = 'completed' limit 1) as last_outcome
  from conversations c`;

function attentionFor(lastOutcome: string | null): ConversationSummary['attention'] {
  if (lastOutcome === 'failed' || lastOutcome === 'timed-out') return 'failed';
  return lastOutcome === 'interrupted' ? 'interrupted' : 'none';
}

function toSummary(raw: Record<string, unknown>): ConversationSummary {
  const record = row.parse(raw);
  return conversationSummary.parse({
    id: record.id,
    kind: record.kind,
    title: record.title,
    titled: record.titled === 1,
    cwd: record.cwd,
    agents: z.array(agentId).parse(JSON.parse(record.agents)),
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    running: record.running,
    queued: record.queued,
    attention: attentionFor(record.last_outcome),
  });
}

/** The title of a conversation that the operator has not named: the first line of its first message. */
export function titleFrom(text: string, firstAttachmentName: string | undefined): string {
  const line = text
    .split('\n')
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== '');
  const title = line ?? firstAttachmentName ?? 'Untitled';
  return title.length <= MADE_TITLE_LENGTH ? title : `${title.slice(0, MADE_TITLE_LENGTH - 1).trimEnd()}…`;
}

export class ConversationStore {
  constructor(private readonly database: Database) {}

  create(fields: { kind: ConversationSummary['kind']; cwd: string; title: string | undefined }): ConversationId {
    const id = mintId('conv', conversationId);
    const now = Date.now();
    const title = fields.title ?? '';
    this.database.run(
      'insert into conversations (id, kind, title, titled, cwd, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?)',
      id,
      fields.kind,
      title === '' ? 'Untitled' : title,
      title === '' ? 0 : 1,
      fields.cwd,
      now,
      now,
    );
    return id;
  }

  /** Newest first, by creation; records that cannot be parsed are counted, never silently left out. */
  list(): { conversations: ConversationSummary[]; unreadable: number } {
    const conversations: ConversationSummary[] = [];
    let unreadable = 0;
    for (const raw of this.database.all(`${SELECT_SUMMARY} order by c.created_at desc, c.id desc`)) {
      try {
        conversations.push(toSummary(raw));
      } catch {
        unreadable++;
      }
    }
    return { conversations, unreadable };
  }

  /** @throws ParleyError `no-conversation` */
  get(id: ConversationId): ConversationSummary {
    const raw = this.database.get(`${SELECT_SUMMARY} where c.id = ?`, id);
    if (raw === undefined) {
      throw new ParleyError('no-conversation', `There is no conversation ${id}.`, 'It may have been deleted.');
    }
    return toSummary(raw);
  }

  find(id: ConversationId): ConversationSummary | null {
    const raw = this.database.get(`${SELECT_SUMMARY} where c.id = ?`, id);
    return raw === undefined ? null : toSummary(raw);
  }

  rename(id: ConversationId, title: string): void {
    this.database.run(
      'update conversations set title = ?, titled = 1, updated_at = ? where id = ?',
      title.slice(0, MAX_TITLE_LENGTH),
      Date.now(),
      id,
    );
  }

  /** Names a conversation after its first message unless the operator has named it. */
  nameAfter(id: ConversationId, title: string): void {
    this.database.run('update conversations set title = ? where id = ? and titled = 0', title, id);
  }

  move(id: ConversationId, cwd: string): void {
    this.database.run('update conversations set cwd = ?, updated_at = ? where id = ?', cwd, Date.now(), id);
  }

  touch(id: ConversationId): void {
    this.database.run('update conversations set updated_at = ? where id = ?', Date.now(), id);
  }

  /** Deletes the record with everything that belongs to it in the database; files are the caller's. */
  delete(id: ConversationId): void {
    this.database.transaction(() => {
      // The reference from turns to attachments does not cascade, so that no used attachment can be deleted alone.
      this.database.run(
        'delete from turn_attachments where turn_id in (select id from turns where conversation_id = ?)',
        id,
      );
      this.database.run('delete from conversations where id = ?', id);
    });
  }
}
