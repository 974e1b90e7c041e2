import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Grounds } from '../tool.ts';
import { type Anchor, anchorAt, notThere } from './anchor.ts';
import { type Place, rootOf } from './confine.ts';
import { WALK_DEPTH, WALK_ENTRIES } from './limits.ts';
import { errorCode, Refusal, throwIfEnded } from './outcome.ts';
import { SKIPPED_DIRECTORIES } from './skipped.ts';

export interface WalkOptions {
  readonly grounds: Grounds;
  readonly signal: AbortSignal;
  /** Names of directories that are entered although they usually are not. */
  readonly enter: ReadonlySet<string>;
  /** Called with every file and symbolic link, in the order of names; `false` ends the walk. */
  onFile(path: readonly string[]): boolean;
}

/** What a walk left out. */
export interface Walked {
  /** Names of directories that were not entered, because such ones usually are not wanted. */
  readonly skipped: ReadonlySet<string>;
  /** Directories that could not be read, or that lie too deep. */
  unread: number;
  /** Whether it looked at as much as it may, and there was more. */
  isCut: boolean;
}

/** Goes through everything below a directory, through no symbolic link, and into nothing that is hidden. */
export async function walk(place: Place, options: WalkOptions): Promise<Walked> {
  const anchor = await anchorAt(place.root, place.segments).catch((error: unknown) => {
    throw notThere(place.shown, error);
  });
  const walker = new Walker(options);
  try {
    await walker.enter(anchor, []);
  } finally {
    await anchor.close();
  }
  return walker.walked;
}

class Walker {
  readonly #skipped = new Set<string>();
  readonly walked: Walked = { skipped: this.#skipped, unread: 0, isCut: false };
  #entries = 0;

  constructor(private readonly options: WalkOptions) {}

  /** @returns whether to go on */
  async enter(anchor: Anchor, path: readonly string[]): Promise<boolean> {
    throwIfEnded(this.options.signal);
    for (const entry of await this.#entriesOf(anchor)) {
      if (++this.#entries > WALK_ENTRIES) {
        this.walked.isCut = true;
        return false;
      }
      const at = [...path, entry.name];
      if (entry.isDirectory()) {
        if (!(await this.#descend(anchor, at))) return false;
      } else if ((entry.isFile() || entry.isSymbolicLink()) && !this.options.onFile(at)) return false;
    }
    return true;
  }

  async #entriesOf(anchor: Anchor): Promise<Dirent[]> {
    try {
      const entries = await readdir(anchor.at('.'), { withFileTypes: true });
      // By code units, so that the order is the same everywhere.
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      if (!isPassable(error)) throw error;
      this.walked.unread++;
      return [];
    }
  }

  async #descend(anchor: Anchor, path: readonly string[]): Promise<boolean> {
    const name = path.at(-1) ?? '';
    if (SKIPPED_DIRECTORIES.includes(name) && !this.options.enter.has(name)) {
      this.#skipped.add(name);
      return true;
    }
    if (rootOf(join(anchor.path, name), this.options.grounds) === null) return true;
    if (path.length > WALK_DEPTH) {
      this.walked.unread++;
      return true;
    }
    const child = await anchor.child(name).catch((error: unknown) => {
      if (!isPassable(error)) throw error;
      this.walked.unread++;
      return null;
    });
    if (child === null) return true;
    try {
      return await this.enter(child, path);
    } finally {
      await child.close();
    }
  }
}

/** What happens to one directory and does not spoil the rest: no permission, gone, or replaced in the meantime. */
function isPassable(error: unknown): boolean {
  if (error instanceof Refusal) return error.status !== 'interrupted';
  return ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
}
