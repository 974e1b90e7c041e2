import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { stripEscapes } from '../../../src-shared/plainText.ts';
import { HANG_UP_GRACE_MS, LOGIN_SHELL_LIMIT_MS, SHELL_OUTPUT_GRACE_MS } from './limits.ts';

const MAX_SHELL_OUTPUT_BYTES = 1024 * 1024;

/**
 * For start files that look whether anybody is there: what other programs set when they ask a shell for its environment
 * (no self-update of Oh My Zsh, no tmux in the place of the shell), a terminal that can do nothing, and a name of our
 * own that an operator's start files may ask for.
 */
const ASKING: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
  ZSH_TMUX_AUTOSTARTED: 'true',
  PARLEY_ASKS_FOR_PATH: '1',
};

interface Way {
  readonly args: readonly string[];
  /** Whether the question is standard input, too: a start file may put another shell in this one's place. */
  readonly byInput: boolean;
}

/**
 * The ways in which a shell is asked, one after the other until one answers. Interactive start files are read first,
 * because that is where most operators set their PATH.
 */
function waysToAsk(shell: string, question: string): Way[] {
  // tcsh takes -l only alone.
  if (/^t?csh$/.test(basename(shell))) return [{ args: ['-i', '-c', question], byInput: false }];
  const interactive = ['-l', '-i', '-c', question];
  return [
    { args: interactive, byInput: false },
    { args: interactive, byInput: true },
    { args: ['-l', '-c', question], byInput: false },
  ];
}

/**
 * The PATH of the operator's login shell. An app that was started from a desktop icon has another one. The shell is
 * given a time limit and its noise is ignored; when it does not answer, or is not listened to any more, `null`. Never
 * rejects.
 */
export async function askLoginShell(
  env: Readonly<Record<string, string | undefined>>,
  { timeoutMs = LOGIN_SHELL_LIMIT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<string | null> {
  const shell = env.SHELL;
  if (process.platform === 'win32' || shell === undefined || shell === '') return null;
  const mark = `parley-${randomBytes(8).toString('hex')}`;
  const marks = { begin: `${mark}-begin`, end: `${mark}-end` };
  // One simple command with one quoted word reads the same in every shell, and sh knows PATH in one form.
  const question = `/bin/sh -c 'printf "%s\\n" ${marks.begin} "$PATH" ${marks.end}'`;
  const until = Date.now() + timeoutMs;
  for (const way of waysToAsk(shell, question)) {
    const left = until - Date.now();
    if (left <= 0 || signal?.aborted === true) return null;
    const answer = await ask({ shell, way, env: { ...env, ...ASKING }, question, marks, timeoutMs: left, signal });
    if (answer !== null) return answer;
  }
  return null;
}

interface Marks {
  readonly begin: string;
  readonly end: string;
}

interface Question {
  readonly shell: string;
  readonly way: Way;
  readonly env: Record<string, string | undefined>;
  readonly question: string;
  readonly marks: Marks;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function ask({ shell, way, env, question, marks, timeoutMs, signal }: Question): Promise<string | null> {
  // Without the file nothing is read, as in the other ways.
  const input = way.byInput ? await inputOf(`${question}\nexit\n`).catch(() => null) : null;
  // A session of its own: without a terminal nothing in it can wait for somebody to type.
  const child = spawn(shell, way.args, { env, stdio: [input?.fd ?? 'ignore', 'pipe', 'ignore'], detached: true });
  const { stdout } = child;
  const answer = new Promise<string | null>((resolve) => {
    let output = '';
    let isOver = false;
    let timer: NodeJS.Timeout;
    const finish = (path: string | null) => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      stdout?.destroy();
      // As closing a terminal does: an interactive shell ignores SIGTERM, and one that is killed outright leaves the locks
      // of its start-up files behind (pyenv 2.4: every later shell then waits a minute for them).
      hangUp(child);
      resolve(path);
    };
    const giveUp = () => finish(null);
    timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp);
    child.on('error', giveUp);
    stdout?.setEncoding('utf8');
    stdout?.on('data', (text: string) => {
      output += text;
      const path = answerIn(output, marks);
      if (path !== null) finish(path);
      else if (output.length > MAX_SHELL_OUTPUT_BYTES) giveUp();
    });
    stdout?.on('end', giveUp);
    // What it left in the background may hold its output open.
    child.on('exit', () => {
      if (isOver) return;
      clearTimeout(timer);
      timer = setTimeout(giveUp, SHELL_OUTPUT_GRACE_MS);
    });
  });
  await input?.close();
  return answer;
}

/** A file without a name that holds `text`. Not a pipe: Node's are sockets, and fish 3.6 reads no commands from one. */
async function inputOf(text: string): Promise<FileHandle> {
  const path = join(tmpdir(), `parley-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  // Written at a position, so that the shell reads from the beginning.
  await file.write(text, 0);
  return file;
}

/** What stands between the marks, once both are there. The question itself may be repeated in the output. */
function answerIn(output: string, { begin, end }: Marks): string | null {
  const from = output.lastIndexOf(`${begin}\n`);
  if (from === -1) return null;
  const to = output.indexOf(`\n${end}`, from);
  if (to === -1) return null;
  const path = stripEscapes(output.slice(from + begin.length + 1, to)).trim();
  return path === '' || path.includes('\n') ? null : path;
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

/** Joins search paths: earlier ones win, a directory is searched once, relative ones are not searched at all. */
export function joinPaths(...paths: (string | null | undefined)[]): string {
  const directories = paths.flatMap((path) => (path ?? '').split(delimiter));
  const absolute = directories.filter((directory) => directory !== '' && directory.match(/^(\/|[A-Za-z]:)/) !== null);
  return [...new Set(absolute)].join(delimiter);
}
