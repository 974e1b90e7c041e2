import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Attachment,
  describeRefusal,
  IMAGE_EXTENSIONS,
  imageMime,
  type Refusal,
} from '../../../src-shared/attachments.ts';
import { errorText, ParleyError } from '../../../src-shared/failure.ts';
import { type AttachmentId, attachmentId, type ConversationId, conversationId } from '../../../src-shared/ids.ts';
import { checkImage } from '../images/index.ts';
import { type Database, mintId, writeFileAtomic } from '../storage/index.ts';

/** A file below the attachments directory that no record names is left alone while it is younger than this, ms. */
const STRAY_FILE_AGE_MS = 60 * 60_000;

const row = z.object({
  id: attachmentId,
  conversation_id: conversationId,
  name: z.string(),
  mime: imageMime,
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  sha256: z.string(),
});

const UNREFERENCED = `
  not exists (select 1 from turn_attachments u where u.attachment_id = a.id)
  and not exists (select 1 from draft_attachments d where d.attachment_id = a.id)`;

export function refusalError(name: string, why: Refusal): ParleyError {
  const { sentence, hint } = describeRefusal(name, why);
  return new ParleyError('attachment-refused', sentence, hint);
}

/** The images that conversations own: records in the database, bytes content-addressed in one directory each. */
export class AttachmentStore {
  /** `directory` is absolute: its paths are handed to CLIs that run elsewhere. */
  constructor(
    private readonly database: Database,
    private readonly directory: string,
  ) {}

  /** The leaf that holds one conversation's copies and nothing else. */
  directoryOf(conversation: ConversationId): string {
    return join(this.directory, conversation);
  }

  /**
   * Checks an image and takes a durable copy of it. The record is the caller's to refer to in the same transaction as
   * `refer`, so that it is never unreferenced.
   * @throws ParleyError `attachment-refused` with the sentence for the operator
   */
  async add(
    conversation: ConversationId,
    source: { name: string; declaredType: string; bytes: Uint8Array },
    refer: (attachment: Attachment) => void,
  ): Promise<Attachment> {
    const checked = checkImage(source);
    if (!checked.ok) throw refusalError(source.name, checked.why);
    const sha256 = createHash('sha256').update(source.bytes).digest('hex');
    const fields = {
      id: mintId('att', attachmentId),
      conversationId: conversation,
      name: source.name,
      mime: checked.mime,
      bytes: source.bytes.byteLength,
      width: checked.width,
      height: checked.height,
      sha256,
    };
    const attachment: Attachment = { ...fields, path: this.#pathOf(fields) };
    await mkdir(this.directoryOf(conversation), { recursive: true, mode: 0o700 });
    await this.#writeOnce(attachment.path, source.bytes, sha256);
    this.database.transaction(() => {
      this.database.run(
        `insert into attachments (id, conversation_id, name, mime, bytes, width, height, sha256, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        attachment.id,
        conversation,
        attachment.name,
        attachment.mime,
        attachment.bytes,
        attachment.width,
        attachment.height,
        sha256,
        Date.now(),
      );
      refer(attachment);
    });
    return attachment;
  }

  /** @throws ParleyError `no-attachment` */
  get(id: AttachmentId): Attachment {
    const raw = this.database.get('select * from attachments where id = ?', id);
    if (raw === undefined) throw new ParleyError('no-attachment', `There is no attachment ${id}.`, 'Attach it again.');
    return this.#toAttachment(raw);
  }

  /** Attachments of a turn or a draft, in their order. */
  listed(table: 'turn_attachments' | 'draft_attachments', key: string): Attachment[] {
    const column = table === 'turn_attachments' ? 'turn_id' : 'conversation_id';
    return this.database
      .all(
        `select a.* from attachments a join ${table} l on l.attachment_id = a.id where l.${column} = ? order by l.position`,
        key,
      )
      .map((raw) => this.#toAttachment(raw));
  }

  /** All images that messages of the conversation refer to. */
  sent(conversation: ConversationId): Attachment[] {
    return this.database
      .all(
        `select a.* from attachments a where a.conversation_id = ?
         and exists (select 1 from turn_attachments u where u.attachment_id = a.id) order by a.created_at, a.rowid`,
        conversation,
      )
      .map((raw) => this.#toAttachment(raw));
  }

  /** Reads the copy back and compares it with its hash. Returns what is wrong with it, or `null`. */
  async verify(attachment: Attachment): Promise<string | null> {
    try {
      const bytes = await readFile(attachment.path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return sha256 === attachment.sha256 ? null : 'its copy was changed on disk';
    } catch (error) {
      return errorText(error).startsWith('ENOENT') ? 'its copy is gone' : errorText(error);
    }
  }

  /** Deletes the conversation's attachments that no message and no draft refers to, with their files. */
  async collect(conversation: ConversationId): Promise<void> {
    const unreferenced = this.database
      .all(`select a.* from attachments a where a.conversation_id = ? and ${UNREFERENCED}`, conversation)
      .map((raw) => this.#toAttachment(raw));
    for (const attachment of unreferenced) {
      const lastOfItsBytes = this.database.transaction(() => {
        this.database.run(`delete from attachments as a where a.id = ? and ${UNREFERENCED}`, attachment.id);
        const same = 'select 1 from attachments where conversation_id = ? and sha256 = ?';
        return this.database.get(same, conversation, attachment.sha256) === undefined;
      });
      if (lastOfItsBytes) await rm(attachment.path, { force: true });
    }
  }

  /** What a crash between writing a file and its record, or between a record and its use, has left behind. */
  async collectAll(): Promise<void> {
    const owners = this.database.all(
      `select distinct a.conversation_id as id from attachments a where ${UNREFERENCED}`,
    );
    for (const owner of owners) await this.collect(conversationId.parse(owner.id));
    const directories = await readdir(this.directory, { withFileTypes: true }).catch(() => []);
    for (const entry of directories) {
      const conversation = conversationId.safeParse(entry.name);
      if (entry.isDirectory() && conversation.success) await this.#collectStrayFiles(conversation.data);
    }
  }

  async deleteFiles(conversation: ConversationId): Promise<void> {
    await rm(this.directoryOf(conversation), { recursive: true, force: true });
  }

  async #collectStrayFiles(conversation: ConversationId): Promise<void> {
    const directory = this.directoryOf(conversation);
    for (const name of await readdir(directory)) {
      const known = this.database.get(
        'select 1 from attachments where conversation_id = ? and sha256 = ?',
        conversation,
        name.split('.')[0] ?? '',
      );
      if (known !== undefined) continue;
      const path = join(directory, name);
      const age = await stat(path).then((stats) => Date.now() - stats.mtimeMs);
      if (age > STRAY_FILE_AGE_MS) await rm(path, { force: true });
    }
  }

  async #writeOnce(path: string, bytes: Uint8Array, sha256: string): Promise<void> {
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (there) {
      const existing = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      if (existing === sha256) return;
    }
    try {
      await writeFileAtomic(path, bytes);
    } catch (error) {
      throw new ParleyError(
        'attachment-not-stored',
        `The image could not be stored: ${errorText(error)}.`,
        'Check the free space and the permissions of the data directory, then attach it again.',
        { cause: error },
      );
    }
  }

  #pathOf(fields: { conversationId: ConversationId; sha256: string; mime: Attachment['mime'] }): string {
    return join(this.directoryOf(fields.conversationId), `${fields.sha256}.${IMAGE_EXTENSIONS[fields.mime]}`);
  }

  #toAttachment(raw: Record<string, unknown>): Attachment {
    const record = row.parse(raw);
    const { conversation_id, ...fields } = record;
    return {
      ...fields,
      conversationId: conversation_id,
      path: this.#pathOf({ ...fields, conversationId: conversation_id }),
    };
  }
}
