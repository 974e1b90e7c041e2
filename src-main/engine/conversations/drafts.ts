import type { Attachment } from '../../../src-shared/attachments.ts';
import type { Draft } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { AttachmentId, ConversationId } from '../../../src-shared/ids.ts';
import { MAX_ATTACHMENTS_PER_MESSAGE } from '../../../src-shared/limits.ts';
import type { Database } from '../storage/index.ts';
import { type AttachmentStore, refusalError } from './attachments.ts';

/** What the operator has not sent yet, one for each conversation. */
export class DraftStore {
  constructor(
    private readonly database: Database,
    private readonly attachments: AttachmentStore,
  ) {}

  get(conversation: ConversationId): Draft {
    const raw = this.database.get('select text from drafts where conversation_id = ?', conversation);
    return {
      text: typeof raw?.text === 'string' ? raw.text : '',
      attachments: this.attachments.listed('draft_attachments', conversation),
    };
  }

  /**
   * Stores the text and brings the listed attachments into this order. One that is not listed stays in the draft: it may
   * have arrived while this was on its way. Only {@link remove} takes one out.
   */
  save(conversation: ConversationId, text: string, ids: readonly AttachmentId[]): Draft {
    this.database.transaction(() => {
      this.#writeText(conversation, text);
      const others = this.get(conversation).attachments.filter((attachment) => !ids.includes(attachment.id));
      const ordered = [...ids, ...others.map((attachment) => attachment.id)];
      this.database.run('delete from draft_attachments where conversation_id = ?', conversation);
      for (const id of new Set(ordered)) {
        if (this.attachments.get(id).conversationId !== conversation) {
          throw new ParleyError('foreign-attachment', 'An image of another conversation cannot be used here.');
        }
        this.#append(conversation, id);
      }
    });
    return this.get(conversation);
  }

  /** @throws ParleyError `attachment-refused` when the draft is full */
  append(conversation: ConversationId, attachment: Attachment): void {
    this.database.transaction(() => {
      this.checkRoom(conversation, attachment.name);
      this.#append(conversation, attachment.id);
    });
  }

  /** @throws ParleyError `attachment-refused` when the draft is full */
  checkRoom(conversation: ConversationId, name: string): void {
    const raw = this.database.get(
      'select count(*) as n from draft_attachments where conversation_id = ?',
      conversation,
    );
    if (Number(raw?.n) >= MAX_ATTACHMENTS_PER_MESSAGE) {
      throw refusalError(name, { reason: 'too-many', limit: MAX_ATTACHMENTS_PER_MESSAGE });
    }
  }

  remove(conversation: ConversationId, id: AttachmentId): Draft {
    this.database.run(
      'delete from draft_attachments where conversation_id = ? and attachment_id = ?',
      conversation,
      id,
    );
    return this.get(conversation);
  }

  /** The message was sent: its text and exactly its attachments leave the draft. */
  clearSent(conversation: ConversationId, ids: readonly AttachmentId[]): void {
    this.#writeText(conversation, '');
    for (const id of ids) this.remove(conversation, id);
  }

  #writeText(conversation: ConversationId, text: string): void {
    this.database.run(
      `insert into drafts (conversation_id, text, updated_at) values (?, ?, ?)
       on conflict (conversation_id) do update set text = excluded.text, updated_at = excluded.updated_at`,
      conversation,
      text,
      Date.now(),
    );
  }

  #append(conversation: ConversationId, id: AttachmentId): void {
    this.database.run(
      `insert or ignore into draft_attachments (conversation_id, attachment_id, position)
       values (?, ?, (select coalesce(max(position), -1) + 1 from draft_attachments where conversation_id = ?))`,
      conversation,
      id,
      conversation,
    );
  }
}
