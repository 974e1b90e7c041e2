import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { imageMime } from '../../../../src-shared/attachments.ts';
import { readRegularFile } from './files.ts';
import { MAX_REMEMBERED_TEXT_LENGTH, MAX_REMEMBERED_TURNS, MAX_SESSION_BYTES } from './limits.ts';

const rememberedPicture = z.object({
  name: z.string(),
  mime: imageMime,
  width: z.number(),
  height: z.number(),
  /** The most frequent colour in words; `null` when it was not read. */
  colour: z.string().nullable(),
});

const rememberedTurn = z.object({
  /** Ms since the epoch. */
  at: z.number(),
  text: z.string(),
  pictures: z.array(rememberedPicture),
});
export type RememberedTurn = z.infer<typeof rememberedTurn>;

const session = z.object({
  version: z.literal(1),
  id: z.uuid(),
  /** Every turn that was ever taken, also those that are no longer kept. */
  taken: z.number().int(),
  turns: z.array(rememberedTurn),
});
export type Session = z.infer<typeof session>;

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function newSession(id: string): Session {
  return { version: 1, id, taken: 0, turns: [] };
}

/** The session with one more turn. The first turn is always kept, the oldest others go when there are too many. */
export function withTurn(before: Session, turn: RememberedTurn): Session {
  const text = turn.text.slice(0, MAX_REMEMBERED_TEXT_LENGTH);
  const [first, ...later] = [...before.turns, { ...turn, text }];
  const turns = first === undefined ? [] : [first, ...later.slice(-(MAX_REMEMBERED_TURNS - 1))];
  return { ...before, taken: before.taken + 1, turns };
}

/** Where the Guide keeps what it remembers: one file for each session, written whole. */
export class SessionStore {
  constructor(private readonly directory: string) {}

  /** `null` when there is no such session or it cannot be read. */
  async load(id: string): Promise<Session | null> {
    if (!SESSION_ID.test(id)) return null;
    try {
      const { bytes } = await readRegularFile(this.#path(id), MAX_SESSION_BYTES);
      const parsed = session.safeParse(JSON.parse(bytes.toString('utf8')));
      return parsed.success && parsed.data.id === id ? parsed.data : null;
    } catch {
      // Absent, unreadable and damaged come to the same: the session cannot be continued, and the caller says so.
      return null;
    }
  }

  /** Replaces the stored session at once: a reader sees the old one or the new one. */
  async save(value: Session): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const draft = join(this.directory, `.${value.id}.${randomBytes(4).toString('hex')}`);
    try {
      await writeFile(draft, JSON.stringify(value), { mode: 0o600, flush: true });
      await rename(draft, this.#path(value.id));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #path(id: string): string {
    return join(this.directory, `${id}.json`);
  }
}
