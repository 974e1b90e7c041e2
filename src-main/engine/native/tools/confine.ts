import { realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { oneLine } from '../../../../src-shared/plainText.ts';
import { contains } from '../../files/index.ts';
import type { Grounds } from '../tool.ts';
import { MAX_PATH_LENGTH } from './limits.ts';
import { errorCode, Refusal } from './outcome.ts';

/** A path that may be looked at, as it was without symbolic links when it was resolved. What opens it checks again. */
export interface Place {
  readonly real: string;
  /** The directory that it is allowed by; `real` lies below it, or is it. */
  readonly root: string;
  /** From `root` to `real`. */
  readonly segments: readonly string[];
  readonly isWritable: boolean;
  /** As it is told: relative below cwd, otherwise absolute. */
  readonly shown: string;
}

/** The innermost directory of the grounds that a real path lies in; `null` when it may not be looked at. */
export function rootOf(real: string, grounds: Grounds): { root: string; isWritable: boolean } | null {
  const roots = [
    // Of two that are the same directory the stricter one counts: it comes first.
    ...grounds.hidden.map((root) => ({ root, isWritable: false, isHidden: true })),
    { root: grounds.cwd, isWritable: grounds.allowWrite, isHidden: false },
    ...grounds.readable.map((root) => ({ root, isWritable: false, isHidden: false })),
  ].filter(({ root }) => contains(root, real));
  const innermost = roots.sort((one, other) => other.root.length - one.root.length)[0];
  return innermost === undefined || innermost.isHidden ? null : innermost;
}

/**
 * Resolves what a model named to a real place, all symbolic links followed. The end of the path need not be there.
 * @throws Refusal when it lies outside the grounds, or can be no path
 */
export async function resolvePlace(path: string, grounds: Grounds): Promise<Place> {
  if (path === '') throw new Refusal('failed', 'The path is empty.');
  if (path.includes('\0')) throw new Refusal('denied', 'The path holds a NUL byte.');
  if (path.length > MAX_PATH_LENGTH) {
    throw new Refusal('failed', `The path has ${path.length} characters; the limit is ${MAX_PATH_LENGTH}.`);
  }
  const real = await realPathOf(resolve(grounds.cwd, path), path);
  const allowed = rootOf(real, grounds);
  if (allowed === null) throw outside(path, grounds);
  const below = relative(allowed.root, real);
  return {
    real,
    root: allowed.root,
    segments: below === '' ? [] : below.split(sep),
    isWritable: allowed.isWritable,
    shown: contains(grounds.cwd, real) ? relative(grounds.cwd, real) || '.' : real,
  };
}

/** @throws Refusal unless the place may be changed */
export function requireWritable(place: Place, grounds: Grounds): void {
  if (place.isWritable) return;
  throw new Refusal(
    'denied',
    grounds.allowWrite
      ? `“${place.shown}” may be read, not written: only the working directory may be changed.`
      : 'This seat is read-only: it may not change files.',
  );
}

function outside(path: string, grounds: Grounds): Refusal {
  const allowed = [grounds.cwd, ...grounds.readable].join(', ');
  return new Refusal('denied', `“${oneLine(path, 200)}” is outside of what this seat may see (${allowed}).`);
}

/** The real path of what is there, and of the directory that it would be in where it is not. */
async function realPathOf(absolute: string, named: string): Promise<string> {
  const missing: string[] = [];
  for (let path = absolute; ; path = dirname(path)) {
    try {
      return join(await realpath(path), ...missing);
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unusable(named, code, error);
    }
    // A link to nowhere would be followed by whoever creates the file.
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (isLink)
      throw new Refusal('denied', `“${oneLine(named, 200)}” is a symbolic link to something that is not there.`);
    missing.unshift(path.slice(dirname(path).length).replace(/^[/\\]+/, ''));
  }
}

function unusable(path: string, code: string | null, error: unknown): Refusal {
  const shown = `“${oneLine(path, 200)}”`;
  switch (code) {
    case 'ELOOP':
      return new Refusal('failed', `${shown} is a symbolic link that leads in a circle.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new Refusal('failed', `${shown} cannot be reached: permission denied.`, { cause: error });
    default:
      return new Refusal('failed', `${shown} cannot be resolved (${code ?? 'unknown error'}).`, { cause: error });
  }
}

/** The same for every way to write the path of one file: calls that change it run one after the other. */
export function fileKey(path: string, cwd: string): string {
  const absolute = resolve(cwd, path.replaceAll('\0', ''));
  const missing: string[] = [];
  for (let known = absolute; ; known = dirname(known)) {
    try {
      // In small letters: two names that some file systems take for one must not be two.
      return `file:${join(realpathSync.native(known), ...missing)}`.toLowerCase();
    } catch {
      // Not there, or not to be seen: the key is of what is known of it.
      if (known === dirname(known)) return `file:${absolute}`.toLowerCase();
      missing.unshift(known.slice(dirname(known).length).replace(/^[/\\]+/, ''));
    }
  }
}
