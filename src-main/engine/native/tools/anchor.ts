import { type BigIntStats, constants, existsSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './confine.ts';
import { errorCode, Refusal } from './outcome.ts';

/** 0 where the platform has no such flag. */
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;
const DIRECTORY = constants.O_DIRECTORY ?? 0;

const DESCRIPTORS = '/proc/self/fd';

/**
 * A directory that is held on to. On Linux it is held by a descriptor and its entries are named through it, as openat(2)
 * does: whatever is put in the place of a directory on the way, what is reached stays below the root. Elsewhere Node
 * offers no such thing; there the path is compared with the real one before and after each use, which leaves an instant.
 */
export interface Anchor {
  /** The real path that it was opened by. */
  readonly path: string;
  /** The path by which an entry is reached; `.` is the directory itself. */
  at(name: string): string;
  /** A path of the directory that another process can use, as long as the anchor is held. */
  forProcess(): string;
  /** Holds on to a directory in this one. It must be one, and no symbolic link. */
  child(name: string): Promise<Anchor>;
  /** @throws Refusal when the directory is no longer where it was */
  verify(): void;
  /** Makes renames in it durable, as far as the platform can. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export function changed(path: string, cause?: unknown): Refusal {
  return new Refusal('denied', `“${path}” was replaced while it was being opened.`, { cause });
}

class DescriptorAnchor implements Anchor {
  constructor(
    private readonly handle: FileHandle,
    readonly path: string,
  ) {}

  static async open(at: string, path: string): Promise<Anchor> {
    const anchor = new DescriptorAnchor(await openDirectory(at, path), path);
    try {
      anchor.verify();
      return anchor;
    } catch (error) {
      await anchor.close();
      throw error;
    }
  }

  at(name: string): string {
    return `${DESCRIPTORS}/${this.handle.fd}/${name}`;
  }

  forProcess(): string {
    return `/proc/${process.pid}/fd/${this.handle.fd}`;
  }

  child(name: string): Promise<Anchor> {
    return DescriptorAnchor.open(this.at(name), join(this.path, name));
  }

  verify(): void {
    if (readlinkSync(`${DESCRIPTORS}/${this.handle.fd}`) !== this.path) throw changed(this.path);
  }

  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

class PathAnchor implements Anchor {
  constructor(readonly path: string) {}

  static async open(path: string): Promise<Anchor> {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) throw changed(path);
    if (!stats.isDirectory()) throw notDirectory(path);
    if ((await realpath(path)) !== path) throw changed(path);
    return new PathAnchor(path);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  forProcess(): string {
    return this.path;
  }

  child(name: string): Promise<Anchor> {
    return PathAnchor.open(this.at(name));
  }

  verify(): void {
    if (realpathSync.native(this.path) !== this.path) throw changed(this.path);
  }

  async sync(): Promise<void> {
    // The rename is atomic; only Linux is asked for durability through the descriptor it has anyway.
  }

  async close(): Promise<void> {}
}

function notDirectory(path: string): Refusal {
  return new Refusal('failed', `“${path}” is not a directory.`);
}

async function openDirectory(at: string, path: string): Promise<FileHandle> {
  try {
    return await open(at, constants.O_RDONLY | DIRECTORY | NOFOLLOW);
  } catch (error) {
    // Linux answers ENOTDIR for a symbolic link, too: neither is followed.
    const code = errorCode(error);
    if (code === 'ELOOP') throw changed(path, error);
    if (code === 'ENOTDIR') {
      const stats = await lstat(at).catch(() => null);
      throw stats?.isSymbolicLink() ? changed(path, error) : notDirectory(path);
    }
    throw error;
  }
}

const holdsDescriptors = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** How the directories are walked: `byDescriptor` is what Linux does, the other what is left elsewhere. */
export interface Walking {
  readonly byDescriptor: boolean;
}
export const WALKING: Walking = { byDescriptor: holdsDescriptors };

/**
 * Holds on to the directory `segments` below `root`, step by step from the root and through no symbolic link.
 * @param make makes what is missing: called right before each directory is made, and may refuse
 */
export async function anchorAt(
  root: string,
  segments: readonly string[],
  make: (() => void) | null = null,
  walking: Walking = WALKING,
): Promise<Anchor> {
  let anchor = walking.byDescriptor ? await DescriptorAnchor.open(root, root) : await PathAnchor.open(root);
  for (const segment of segments) {
    const parent = anchor;
    try {
      anchor = await step(parent, segment, make);
    } finally {
      await parent.close();
    }
  }
  return anchor;
}

async function step(parent: Anchor, segment: string, make: (() => void) | null): Promise<Anchor> {
  try {
    return await parent.child(segment);
  } catch (error) {
    if (make === null || errorCode(error) !== 'ENOENT') throw error;
    parent.verify();
    make();
    makeDirectory(parent.at(segment));
    return parent.child(segment);
  }
}

function makeDirectory(path: string): void {
  try {
    // At once: nothing can come between the permission to go on and this.
    mkdirSync(path);
  } catch (error) {
    // Another call made it in the meantime; opening it tells whether it is a directory.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
}
const statsOf = (path: string) => lstat(path, { bigint: true });

/** Opens a regular file for reading; nothing else is opened, not even to look at it. The caller closes the handle. */
export async function openFile(place: Place, walking: Walking = WALKING): Promise<OpenedFile> {
  const name = place.segments.at(-1);
  if (name === undefined) throw new Refusal('failed', `“${place.shown}” is a directory.`);
  const anchor = await anchorAt(place.root, place.segments.slice(0, -1), null, walking).catch((error: unknown) => {
    throw notThere(place.shown, error);
  });
  try {
    const before = await statsOf(anchor.at(name)).catch((error: unknown) => {
      throw notThere(place.shown, error);
    });
    requireRegular(before, place.shown);
    // Should a FIFO be put in its place now, opening it does not wait for a writer.
    const handle = await open(anchor.at(name), constants.O_RDONLY | NOFOLLOW | NONBLOCK).catch((error: unknown) => {
      throw errorCode(error) === 'ELOOP' ? changed(place.shown, error) : notThere(place.shown, error);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      requireRegular(stats, place.shown);
      anchor.verify();
      if (!walking.byDescriptor) {
        const now = await statsOf(anchor.at(name));
        if (now.dev !== stats.dev || now.ino !== stats.ino) throw changed(place.shown);
      }
      return { handle, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    await anchor.close();
  }
}

/** @throws Refusal that says what it is */
export function requireRegular(stats: BigIntStats, shown: string): void {
  if (stats.isFile()) return;
  const is = (what: string, status: 'failed' | 'denied' = 'denied') => new Refusal(status, `“${shown}” is ${what}.`);
  if (stats.isSymbolicLink()) throw changed(shown);
  if (stats.isDirectory()) throw is('a directory', 'failed');
  if (stats.isFIFO()) throw is('a named pipe (FIFO); only regular files are opened');
  if (stats.isSocket()) throw is('a socket; only regular files are opened');
  throw is('a device; only regular files are opened');
}

/** The refusal for a path that cannot be opened; a refusal stays what it is. */
export function notThere(shown: string, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  switch (errorCode(error)) {
    case 'ENOENT':
      return new Refusal('failed', `There is no “${shown}”.`, { cause: error });
    case 'ENOTDIR':
      return new Refusal('failed', `A part of “${shown}” is not a directory.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new Refusal('failed', `“${shown}” cannot be opened: permission denied.`, { cause: error });
    case 'ENXIO':
      return new Refusal('denied', `“${shown}” is not a regular file.`, { cause: error });
    case 'ENAMETOOLONG':
      return new Refusal('failed', 'A name in the path is too long.', { cause: error });
    default:
      return error;
  }
}
