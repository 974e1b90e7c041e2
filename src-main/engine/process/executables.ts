import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { stripEscapes } from '../../../src-shared/plainText.ts';
import { VERSION_TIMEOUT_MS } from './limits.ts';

const run = promisify(execFile);
const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat', ''];

/** Whether `path` is a file that may be executed. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export type Lookup = { kind: 'found'; path: string } | { kind: 'not-found'; searched: string[] };

/** Finds program `name` on a search path; an absolute name is only checked. */
export async function findExecutable(name: string, searchPath: string): Promise<Lookup> {
  if (isAbsolute(name)) {
    return (await isExecutable(name)) ? { kind: 'found', path: name } : { kind: 'not-found', searched: [name] };
  }
  const searched = searchPath.split(delimiter).filter((directory) => directory !== '');
  const endings = process.platform === 'win32' ? WINDOWS_ENDINGS : [''];
  for (const directory of searched) {
    for (const ending of endings) {
      const path = join(directory, name + ending);
      if (await isExecutable(path)) return { kind: 'found', path };
    }
  }
  return { kind: 'not-found', searched };
}

/** The first thing that looks like a version in what a program says of itself; `null` when it says none in time. */
export async function askVersion(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(program, [...args], {
      env,
      timeout: VERSION_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(stripEscapes(`${stdout}\n${stderr}`))?.[0] ?? null;
  } catch {
    // A version is told when it can be; whether the program works shows in a turn.
    return null;
  }
}
