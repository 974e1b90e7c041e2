import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { HANG_UP_GRACE_MS, LOGIN_SHELL_TIMEOUT_MS } from './limits.ts';

const MAX_SHELL_OUTPUT_BYTES = 1024 * 1024;

/** Where CLIs are commonly installed; searched after PATH. */
export function knownDirectories(home: string = homedir()): string[] {
  if (process.platform === 'win32') return [];
  return [
    join(home, '.local', 'bin'),
    join(home, '.npm-global', 'bin'),
    join(home, '.bun', 'bin'),
    join(home, '.cargo', 'bin'),
    join(home, '.volta', 'bin'),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
}

/**
 * The PATH of the operator's login shell. An app that was started from a desktop icon has another one. The shell is
 * given a time limit and its noise is ignored; when it does not answer, `null`.
 */
export async function askLoginShell(
  env: NodeJS.ProcessEnv = process.env,
  timeoutMs: number = LOGIN_SHELL_TIMEOUT_MS,
): Promise<string | null> {
  const shell = env.SHELL;
  if (process.platform === 'win32' || shell === undefined || shell === '') return null;
  const mark = `parley-${randomBytes(8).toString('hex')}`;
  // `env` prints one form of PATH whatever the shell's own syntax for lists is.
  const child = spawn(shell, ['-l', '-i', '-c', `echo ${mark}; command env; echo ${mark}`], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  return new Promise((resolve) => {
    let output = '';
    const finish = (path: string | null) => {
      clearTimeout(timer);
      child.stdout.destroy();
      // As closing a terminal does: an interactive shell ignores SIGTERM, and one that is killed outright leaves the locks
      // of its start-up files behind (pyenv 2.4: every later shell then waits a minute for them).
      hangUp(child);
      resolve(path);
    };
    const timer = setTimeout(() => finish(null), timeoutMs);
    child.on('error', () => finish(null));
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
      const parts = output.split(mark);
      if (parts.length >= 3) finish(pathIn(parts[1] ?? ''));
      else if (output.length > MAX_SHELL_OUTPUT_BYTES) finish(null);
    });
    child.stdout.on('end', () => finish(null));
  });
}

function hangUp(shell: ChildProcess): void {
  const { pid } = shell;
  if (pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // It ended in the meantime.
    }
  };
  signalGroup('SIGHUP');
  const timer = setTimeout(() => signalGroup('SIGKILL'), HANG_UP_GRACE_MS);
  timer.unref();
  shell.once('exit', () => clearTimeout(timer));
}

function pathIn(environment: string): string | null {
  const line = environment.split('\n').find((candidate) => candidate.startsWith('PATH='));
  return line === undefined ? null : line.slice('PATH='.length).trim();
}

/** Joins search paths: earlier ones win, a directory is searched once, relative ones are not searched at all. */
export function joinPaths(...paths: (string | null | undefined)[]): string {
  const directories = paths.flatMap((path) => (path ?? '').split(delimiter));
  const absolute = directories.filter((directory) => directory !== '' && directory.match(/^(\/|[A-Za-z]:)/) !== null);
  return [...new Set(absolute)].join(delimiter);
}
