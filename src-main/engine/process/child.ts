import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorText } from '../../../src-shared/failure.ts';
import { MAX_SPOOL_BYTES, MIN_FREE_BYTES } from '../../../src-shared/limits.ts';
import { freeBytes } from '../files/index.ts';
import type { ClockKind, Clocks } from './clocks.ts';
import { WATCHDOG_MS } from './limits.ts';
import { findProcess } from './processTable.ts';
import { type ChunkListener, followSpool } from './spool.ts';
import { endTree, type TreeEnding, type TreeIdentity } from './tree.ts';

export interface ChildSpec {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The file that is its standard input; `null` for none. */
  readonly stdinPath: string | null;
  /** Files that it appends its output to. They must exist. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** In its environment as the marker variable already. */
  readonly marker: string;
}

export interface ChildListeners {
  /** The process is there. What this throws ends it. */
  onStarted(root: { pid: number; started: string }): void;
  onStdout: ChunkListener;
  onStderr: ChunkListener;
}

/** Why a child ended. */
export type ChildEnd =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'not-started'; readonly detail: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timed-out'; readonly clock: ClockKind; readonly limitMs: number }
  | { readonly kind: 'disk-full'; readonly freeBytes: number }
  | { readonly kind: 'output-limit' };

export interface ChildResult {
  readonly end: ChildEnd;
  /** What was left of its tree when it ended, or was ended with it. */
  readonly tree: TreeEnding;
}

/**
 * Runs a child in its own session until it exits, is cancelled, runs into its time limit or threatens the disk; then
 * ends whatever is left of its tree, and reads its output to the end. The child itself writes the spool and reads the
 * prompt file: no pipe can deadlock or hold a finished answer back, and a crash of Parley loses nothing.
 */
export async function runChild(
  spec: ChildSpec,
  cancel: AbortSignal,
  clocks: Clocks,
  listeners: ChildListeners,
): Promise<ChildResult> {
  const opened: FileHandle[] = [];
  const openFor = async (path: string, flags: string) => {
    const file = await open(path, flags);
    opened.push(file);
    return file;
  };
  let child: ChildProcess;
  let exited: Promise<[number | null, NodeJS.Signals | null]>;
  try {
    const stdin = spec.stdinPath === null ? null : await openFor(spec.stdinPath, 'r');
    const stdout = await openFor(spec.stdoutPath, 'a');
    const stderr = await openFor(spec.stderrPath, 'a');
    child = spawn(spec.program, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: [stdin?.fd ?? 'ignore', stdout.fd, stderr.fd],
      // Its own session and process group: no signal of our terminal reaches it, and it cannot take the terminal.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // Listened to before anything is awaited: a program that cannot be executed is reported at once, as an `error`.
    exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    exited.catch(() => {});
  } catch (error) {
    return notStarted(error);
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }
  if (child.pid === undefined) return exited.then(() => notStarted('no process'), notStarted);
  return supervise(spec, child.pid, exited, cancel, clocks, listeners);
}

function notStarted(error: unknown): ChildResult {
  return { end: { kind: 'not-started', detail: errorText(error) }, tree: { ended: [], left: [] } };
}

async function supervise(
  spec: ChildSpec,
  pid: number,
  exited: Promise<[number | null, NodeJS.Signals | null]>,
  cancel: AbortSignal,
  clocks: Clocks,
  listeners: ChildListeners,
): Promise<ChildResult> {
  const info = await findProcess(pid);
  const root = { pid, started: info?.started ?? '' };
  const identity: TreeIdentity = { root: info === null ? null : root, marker: spec.marker };
  const written = new AbortController();
  const spools = Promise.all([
    followSpool(spec.stdoutPath, written.signal, alive(clocks, listeners.onStdout)),
    followSpool(spec.stderrPath, written.signal, alive(clocks, listeners.onStderr)),
  ]);
  // Read where it is awaited below; until then a failure must not count as unhandled.
  spools.catch(() => {});
  try {
    listeners.onStarted(root);
    const end = await firstEnd(spec, exited, cancel, clocks);
    const tree = await endTree(identity);
    if (end.kind !== 'exited') await exited;
    written.abort();
    await spools;
    return { end, tree };
  } catch (error) {
    await endTree(identity, 0);
    throw error;
  } finally {
    written.abort();
  }
}

/** Every byte is a sign of life. */
function alive(clocks: Clocks, listener: ChunkListener): ChunkListener {
  return (chunk, offset) => {
    clocks.touch();
    listener(chunk, offset);
  };
}

/** Waits for the first thing that ends the child: its exit, the operator, the clock, or a limit. */
async function firstEnd(
  spec: ChildSpec,
  exited: Promise<[number | null, NodeJS.Signals | null]>,
  cancel: AbortSignal,
  clocks: Clocks,
): Promise<ChildEnd> {
  const timers: NodeJS.Timeout[] = [];
  let onCancel: (() => void) | null = null;
  const limits = new Promise<ChildEnd>((resolve, reject) => {
    void clocks.expired.then((clock) => resolve({ kind: 'timed-out', clock, limitMs: clocks.limitOf(clock) }));
    timers.push(
      setInterval(() => {
        checkLimits(spec).then((end) => {
          if (end !== null) resolve(end);
        }, reject);
      }, WATCHDOG_MS),
    );
    onCancel = () => resolve({ kind: 'cancelled' });
    if (cancel.aborted) onCancel();
    cancel.addEventListener('abort', onCancel);
  });
  try {
    return await Promise.race([exited.then(([code, signal]) => ({ kind: 'exited' as const, code, signal })), limits]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    if (onCancel !== null) cancel.removeEventListener('abort', onCancel);
  }
}

async function checkLimits(spec: ChildSpec): Promise<ChildEnd | null> {
  const [free, stdout, stderr] = await Promise.all([
    freeBytes(spec.stdoutPath),
    stat(spec.stdoutPath),
    stat(spec.stderrPath),
  ]);
  if (free < MIN_FREE_BYTES) return { kind: 'disk-full', freeBytes: free };
  if (stdout.size > MAX_SPOOL_BYTES || stderr.size > MAX_SPOOL_BYTES) return { kind: 'output-limit' };
  return null;
}
