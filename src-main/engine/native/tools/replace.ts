import { randomBytes } from 'node:crypto';
import { accessSync, type BigIntStats, constants, lstatSync, renameSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type Anchor, anchorAt, changed, notThere, requireRegular, WALKING, type Walking } from './anchor.ts';
import type { Place } from './confine.ts';
import { errorCode, Refusal, throwIfEnded } from './outcome.ts';

export interface Replacement {
  readonly place: Place;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** The file as it was read; when it is another by now, nothing is written. `null` takes whatever is there. */
  readonly readAs: BigIntStats | null;
}

/**
 * Puts the whole content in the place of a file, or changes nothing: a neighbour is written and renamed. Missing
 * directories are made. Permissions are kept, and the owner where that is possible; a hard link becomes a file of its
 * own, so that no name outside cwd changes with it.
 * @returns whether there was a file before
 */
export async function replaceFile(
  { place, bytes, signal, readAs }: Replacement,
  walking: Walking = WALKING,
): Promise<{ existed: boolean }> {
  const name = place.segments.at(-1);
  if (name === undefined) throw new Refusal('failed', `“${place.shown}” is a directory.`);
  const mayGoOn = () => throwIfEnded(signal);
  mayGoOn();
  const anchor = await anchorAt(place.root, place.segments.slice(0, -1), mayGoOn, walking).catch((error: unknown) => {
    throw notThere(place.shown, error);
  });
  try {
    const existing = statsIn(anchor, name);
    if (existing !== null) {
      requireRegular(existing, place.shown);
      requirePermission(anchor.at(name), place.shown);
    }
    const temporary = anchor.at(`.parley-${randomBytes(6).toString('hex')}.tmp`);
    try {
      await writeNeighbour(temporary, bytes, existing);
      // From here to the rename nothing is awaited: no other call and no end of the turn can come between.
      anchor.verify();
      requireSame(statsIn(anchor, name), readAs ?? existing, place.shown);
      mayGoOn();
      renameSync(temporary, anchor.at(name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await anchor.sync();
    return { existed: existing !== null };
  } finally {
    await anchor.close();
  }
}

function statsIn(anchor: Anchor, name: string): BigIntStats | null {
  return lstatSync(anchor.at(name), { bigint: true, throwIfNoEntry: false }) ?? null;
}

/** A rename asks only the directory; a file that says that it is not to be written is not. */
function requirePermission(path: string, shown: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new Refusal('failed', `“${shown}” is write-protected.`, { cause: error });
  }
}

function requireSame(now: BigIntStats | null, before: BigIntStats | null, shown: string): void {
  if (now?.isSymbolicLink()) throw changed(shown);
  const isSame =
    now?.ino === before?.ino &&
    now?.dev === before?.dev &&
    now?.size === before?.size &&
    now?.mtimeNs === before?.mtimeNs;
  if (!isSame) {
    throw new Refusal(
      'failed',
      `“${shown}” was changed by something else in the meantime; nothing was written. Read it again.`,
    );
  }
}

async function writeNeighbour(path: string, bytes: Uint8Array, like: BigIntStats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // Nobody else reads a copy of a private file while it is being made.
  const file = await open(path, flags, like === null ? 0o666 : 0o600).catch((error: unknown) => {
    throw errorCode(error) === 'EACCES'
      ? new Refusal('failed', 'Nothing can be written in this directory: permission denied.', { cause: error })
      : error;
  });
  try {
    await file.writeFile(bytes);
    if (like !== null) await keepMode(file, like);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function keepMode(file: FileHandle, like: BigIntStats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== Number(like.uid) || own.gid !== Number(like.gid)) {
    // Only root can give files away; for others the file becomes the operator's, as with every editor that renames.
    await file.chown(Number(like.uid), Number(like.gid)).catch(() => {});
  }
  await file.chmod(Number(like.mode) & 0o7777);
}
