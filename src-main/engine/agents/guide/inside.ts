import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

/** The real path of `name` below `directory`, links resolved; `null` when it is not there or lies outside. */
export async function pathInside(directory: string, name: string): Promise<string | null> {
  try {
    const root = await realpath(directory);
    const path = await realpath(resolve(root, name));
    const way = relative(root, path);
    return way === '' || way.startsWith('..') || isAbsolute(way) ? null : path;
  } catch {
    // Not there, not allowed, or not a possible name: nothing to show.
    return null;
  }
}
