import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText, type Failure, ParleyError } from '../../../src-shared/failure.ts';
import { writeFileAtomic } from '../files/index.ts';
import {
  encodeMark,
  encodeMessages,
  endsInLine,
  type JournalContents,
  type JournalReport,
  type RewriteMark,
  readJournal,
} from './journalLines.ts';
import type { ChatMessage } from './messages.ts';

export type { JournalReport } from './journalLines.ts';

/** Why a journal did not do what it was asked to. Its file is then as it was, as far as the disk allows. */
export type JournalFailureCode =
  | 'journal-unreadable'
  | 'journal-changed'
  | 'journal-not-written'
  | 'journal-without-backup';

/**
 * The history of one seat on disk, one message a line. Only `rewrite` and `undoRewrite` replace the file, and both by a
 * rename; everything else adds to its end. One writer at a time: the conversation's lease is held.
 */
export interface Journal {
  /** As read when the journal was opened. Not repaired: calls without a result stand as they do in the file. */
  readonly messages: readonly ChatMessage[];
  readonly report: JournalReport;
  /** Why the file could not be read; such a file is never rewritten. */
  readonly failure: Failure | null;
  /** Adds messages in one write, flushed. Throws a {@link ParleyError}; then none of them counts as added. */
  append(messages: readonly ChatMessage[]): Promise<void>;
  /** Puts `messages` in the place of all others. What stood there is the backup, until the next rewrite. */
  rewrite(messages: readonly ChatMessage[]): Promise<void>;
  /** Whether the last rewrite can be taken back. */
  canUndoRewrite(): Promise<boolean>;
  /** Takes the last rewrite back and keeps what was added since; gives the history that then holds. */
  undoRewrite(): Promise<readonly ChatMessage[]>;
}

/** Where the one backup of a journal lies. */
export const backupPath = (path: string): string => `${path}.bak`;

/** Reads the journal at `path`; a missing file is an empty history. Writes nothing and does not throw. */
export async function openJournal(path: string): Promise<Journal> {
  try {
    const bytes = await readFile(path);
    return new FileJournal(path, readJournal(bytes), bytes.length, null);
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    const failure = isMissing ? null : unreadable(path, error).toFailure();
    return new FileJournal(path, readJournal(new Uint8Array()), isMissing ? 0 : null, failure);
  }
}

class FileJournal implements Journal {
  readonly messages: readonly ChatMessage[];
  readonly report: JournalReport;
  /** Resolves, never rejects, when nothing is being written. */
  #idle: Promise<unknown> = Promise.resolve();

  /** `bytes`: what the file has when nobody else wrote to it; `null` when that is not known. */
  constructor(
    private readonly path: string,
    contents: JournalContents,
    private bytes: number | null,
    readonly failure: Failure | null,
  ) {
    this.messages = contents.messages;
    this.report = contents.report;
  }

  append(messages: readonly ChatMessage[]): Promise<void> {
    return this.#inTurn(async () => {
      if (messages.length === 0) return;
      try {
        await this.#append(encodeMessages(messages));
      } catch (error) {
        throw notWritten(this.path, error);
      }
    });
  }

  rewrite(messages: readonly ChatMessage[]): Promise<void> {
    return this.#inTurn(async () => {
      const bytes = await this.#current();
      const { kept } = readJournal(bytes);
      const lineFeed = Buffer.from('\n');
      try {
        const body = Buffer.concat([...kept.flatMap((line) => [line, lineFeed]), encodeMessages(messages)]);
        const mark = encodeMark({ bodyBytes: body.length, backup: identify(bytes) });
        await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
        await writeFileAtomic(backupPath(this.path), bytes);
        await this.#replace(Buffer.concat([mark, body]));
      } catch (error) {
        throw notWritten(this.path, error);
      }
    });
  }

  canUndoRewrite(): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        await this.#beforeRewrite(await this.#current());
        return true;
      } catch (error) {
        if (error instanceof ParleyError) return false;
        throw error;
      }
    });
  }

  undoRewrite(): Promise<readonly ChatMessage[]> {
    return this.#inTurn(async () => {
      const restored = await this.#beforeRewrite(await this.#current());
      try {
        await this.#replace(restored);
      } catch (error) {
        throw notWritten(this.path, error);
      }
      // It is known by its digest, and nothing names this one any more: should it stay, it is only in the way of nothing.
      await rm(backupPath(this.path), { force: true }).catch(() => {});
      return readJournal(restored).messages;
    });
  }

  /** The file as it would be without the last rewrite. */
  async #beforeRewrite(current: Buffer): Promise<Buffer> {
    const { rewrite } = readJournal(current);
    if (rewrite === null) throw withoutBackup();
    const backup = await readFile(backupPath(this.path)).catch(() => null);
    if (backup === null || !isSame(identify(backup), rewrite.mark.backup)) throw withoutBackup();
    const bodyEnd = rewrite.bodyStart + rewrite.mark.bodyBytes;
    if (bodyEnd > current.length || !endsInLine(current.subarray(0, bodyEnd))) throw withoutBackup();
    const since = current.subarray(bodyEnd);
    const between = since.length > 0 && !endsInLine(backup) ? '\n' : '';
    return Buffer.concat([backup, Buffer.from(between), since]);
  }

  /** What is in the file. Throws when it is not what this journal read and wrote: nobody's lines are written over. */
  async #current(): Promise<Buffer> {
    if (this.failure !== null) {
      throw new ParleyError('journal-unreadable' satisfies JournalFailureCode, this.failure.message, this.failure.hint);
    }
    const bytes = await readFile(this.path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
      throw unreadable(this.path, error);
    });
    if (bytes.length !== this.bytes) {
      throw new ParleyError(
        'journal-changed' satisfies JournalFailureCode,
        `The history in ${this.path} was changed by somebody else, so it is left as it is.`,
        'Send the message again: the history is read anew.',
      );
    }
    return bytes;
  }

  async #replace(bytes: Buffer): Promise<void> {
    // Whether the rename took place is not known when flushing the directory fails.
    const before = this.bytes;
    this.bytes = null;
    try {
      await writeFileAtomic(this.path, bytes);
      this.bytes = bytes.length;
    } catch (error) {
      const left = await readFile(this.path).catch(() => null);
      if (left !== null) this.bytes = left.equals(bytes) ? bytes.length : before;
      throw error;
    }
  }

  async #append(lines: Buffer): Promise<void> {
    const file = await openToAppend(this.path);
    if (file === null) {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      // The first lines make the file: it and its name are flushed together.
      await this.#replace(lines);
      return;
    }
    try {
      const { size } = await file.stat();
      const isOurs = size === this.bytes;
      this.bytes = null;
      const written = (await endsWithin(file, size)) ? Buffer.concat([Buffer.from('\n'), lines]) : lines;
      try {
        await writeWhole(file, written);
        await file.sync();
      } catch (error) {
        // Lines of a batch that failed must not come back, or a second try has them twice.
        await file.truncate(size).then(
          () => {
            if (isOurs) this.bytes = size;
          },
          // What is left of the batch ends without a line feed or is a whole line; neither hurts the next append.
          () => {},
        );
        throw error;
      }
      if (isOurs) this.bytes = size + written.length;
    } finally {
      await file.close();
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#idle.then(work);
    this.#idle = done.catch(() => {
      // Told to whoever asked; the next one in turn does not depend on it.
    });
    return done;
  }
}

async function openToAppend(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Whether a file of `size` bytes ends within a line. */
async function endsWithin(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return !endsInLine(last);
}

/** One write, and more only when the system takes less than it was given. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

function identify(bytes: Uint8Array): RewriteMark['backup'] {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function isSame(one: RewriteMark['backup'], other: RewriteMark['backup']): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}

function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function unreadable(path: string, error: unknown): ParleyError {
  return new ParleyError(
    'journal-unreadable' satisfies JournalFailureCode,
    `The history in ${path} could not be read: ${errorText(error)}`,
    'Check that the file can be read. Until then it is left as it is.',
    { cause: error },
  );
}

function notWritten(path: string, error: unknown): ParleyError {
  return new ParleyError(
    'journal-not-written' satisfies JournalFailureCode,
    `The history in ${path} could not be written: ${errorText(error)}`,
    'Check the free space and the rights of that directory.',
    { cause: error },
  );
}

function withoutBackup(): ParleyError {
  return new ParleyError(
    'journal-without-backup' satisfies JournalFailureCode,
    'There is no backup of the history before it was compacted.',
  );
}
