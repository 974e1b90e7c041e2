import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { contains } from '../../files/index.ts';

/** The real path of `name` below `directory`, links resolved; `null` when it is not there or lies outside. */
export async function pathInside(directory: string, name: string): Promise<string | null> {
  try {
    const root = await realpath(directory);
    const path = await realpath(resolve(root, name));
    return path !== root && contains(root, path) ? path : null;
  } catch {
    // Not there, not allowed, or not a possible name: nothing to show.
    return null;
  }
}
