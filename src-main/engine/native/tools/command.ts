import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChildEnd,
  type ChildResult,
  Clocks,
  endTree,
  findTree,
  MARKER_VARIABLE,
  runChild,
  type TreeEnding,
  type TreeIdentity,
} from '../../process/index.ts';
import type { CommandSetting, StartedProcess } from '../tool.ts';
import { BASH_TERM_GRACE_MS } from './limits.ts';
import { readSetUp, type Sandbox, type SandboxPlan, wrapCommand } from './sandbox.ts';

export interface CommandSpec {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly setting: CommandSetting;
  readonly sandbox: Sandbox;
  readonly plan: SandboxPlan;
  readonly wallMs: number;
  /** `null` for no such limit. */
  readonly idleMs: number | null;
  /** Of each stream. */
  readonly maxOutputBytes: number;
  /** Ends the command: the turn is over. */
  readonly signal: AbortSignal;
  /** Within which the whole tree is gone after the signal, ms. */
  readonly graceMs: number;
  onProcess(process: StartedProcess): void;
  /** Chunks are reused after the call. `false` ends the command: nobody wants more of it. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): boolean;
}

export type CommandEnd =
  | ChildEnd
  /** {@link CommandSpec.onOutput} wanted no more. */
  | { readonly kind: 'enough' };

export interface CommandResult {
  readonly end: CommandEnd;
  /** What was left of its tree when it ended, or was ended with it. */
  readonly tree: TreeEnding;
}

/** Files in which the whole output is, until `use` has come back. */
export interface CommandFiles {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in its own session, inside the sandbox, with no input, and ends its whole tree with it. The process
 * room spools the output into files; how the command is ended is decided here, because a sandbox's own process must not
 * be asked to end before what runs inside has had its time.
 */
export async function runCommand<Value>(
  spec: CommandSpec,
  use: (result: CommandResult, files: CommandFiles) => Promise<Value>,
): Promise<Value> {
  const directory = await mkdtemp(join(spec.setting.scratch, 'command-'));
  try {
    const files = { stdout: join(directory, 'stdout'), stderr: join(directory, 'stderr') };
    await Promise.all([writeFile(files.stdout, '', { mode: 0o600 }), writeFile(files.stderr, '', { mode: 0o600 })]);
    return await use(await supervise(spec, files, join(directory, 'sandbox')), files);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function supervise(spec: CommandSpec, files: CommandFiles, setUpPath: string): Promise<CommandResult> {
  if (spec.signal.aborted) return { end: { kind: 'cancelled' }, tree: { ended: [], left: [] } };
  const wrapped = await wrapCommand(spec.sandbox, spec.plan, spec, setUpPath);
  const { environment } = spec.setting;
  // A marker of its own: the tree of another command of this seat is not ended with this one.
  const marker = `${environment[MARKER_VARIABLE] ?? 'native'}.${randomBytes(6).toString('hex')}`;
  const ending = new Ending(spec, marker);
  const clocks = new Clocks({ wallMs: spec.wallMs, idleMs: spec.idleMs });
  void clocks.expired.then((clock) => ending.begin({ kind: 'timed-out', clock, limitMs: clocks.limitOf(clock) }));
  const onAbort = () => ending.begin({ kind: 'cancelled' });
  spec.signal.addEventListener('abort', onAbort);
  const take = (stream: 'stdout' | 'stderr') => (chunk: Buffer, offset: number) => {
    clocks.touch();
    if (!spec.onOutput(stream, chunk)) ending.begin({ kind: 'enough' });
    if (offset + chunk.length > spec.maxOutputBytes) ending.begin({ kind: 'output-limit' });
  };
  // The room's own clocks never run out: it would end everything at once, the sandbox's process first.
  const patience = new Clocks({ wallMs: Number.MAX_SAFE_INTEGER, idleMs: null });
  try {
    const running = runChild(
      {
        program: wrapped.program,
        args: wrapped.args,
        cwd: spec.cwd,
        env: { ...environment, ...wrapped.variables, [MARKER_VARIABLE]: marker },
        stdinPath: null,
        stdoutPath: files.stdout,
        stderrPath: files.stderr,
        marker,
      },
      new AbortController().signal,
      patience,
      {
        onStarted: (root) => {
          spec.onProcess({ ...root, marker });
          ending.started({ root, marker }, running);
        },
        onStdout: take('stdout'),
        onStderr: take('stderr'),
      },
    );
    const result = await ending.finish(running);
    return result.end.kind === 'exited' && result.end.code !== null
      ? await explainExit(spec.sandbox, result, setUpPath)
      : result;
  } finally {
    spec.signal.removeEventListener('abort', onAbort);
    clocks.stop();
    patience.stop();
  }
}

/** Of a sandbox that could not be set up the exit code is the sandbox's own; the command never ran. */
async function explainExit(sandbox: Sandbox, result: CommandResult, setUpPath: string): Promise<CommandResult> {
  if ((await readSetUp(sandbox, setUpPath)) !== 'failed') return result;
  return { end: { kind: 'not-started', detail: 'the sandbox could not be set up' }, tree: result.tree };
}

/** Ends a command once, for the first reason there is: asks, waits, and kills what is left. */
class Ending {
  #why: CommandEnd | null = null;
  #identity: TreeIdentity | null = null;
  #running: Promise<unknown> = Promise.resolve();
  #tree: Promise<TreeEnding> | null = null;

  constructor(
    private readonly spec: Pick<CommandSpec, 'graceMs'>,
    private readonly marker: string,
  ) {}

  begin(why: CommandEnd): void {
    if (this.#why !== null) return;
    this.#why = why;
    this.#end();
  }

  started(identity: TreeIdentity, running: Promise<unknown>): void {
    this.#identity = identity;
    this.#running = running.then(
      () => {},
      () => {},
    );
    this.#end();
  }

  async finish(running: Promise<ChildResult>): Promise<CommandResult> {
    const { end, tree } = await running;
    const ended = await this.#tree;
    return { end: this.#why ?? end, tree: ended ?? tree };
  }

  #end(): void {
    if (this.#why === null || this.#identity === null || this.#tree !== null) return;
    // Half of the grace, so that the rest is enough to kill, to read what was printed and to answer.
    const termMs =
      this.#why.kind === 'cancelled' ? Math.min(BASH_TERM_GRACE_MS, this.spec.graceMs / 2) : BASH_TERM_GRACE_MS;
    this.#tree = endCommand({ root: this.#identity.root, marker: this.marker }, termMs, this.#running);
    // Read in finish; until then a failure must not count as unhandled.
    this.#tree.catch(() => {});
  }
}

/** The process that holds a sandbox together. Were it ended first, the kernel would kill all that runs inside. */
const SANDBOX_PROCESS = 'bwrap';

async function endCommand(identity: TreeIdentity, termMs: number, gone: Promise<unknown>): Promise<TreeEnding> {
  const asked = termMs > 0 ? await findTree(identity) : [];
  const inside = asked.filter(({ name }) => name !== SANDBOX_PROCESS);
  for (const { pid } of inside) {
    try {
      process.kill(pid, 'SIGTERM');
      // One that is stopped does not see the request until it goes on.
      process.kill(pid, 'SIGCONT');
    } catch {
      // It ended by itself in the meantime.
    }
  }
  const timer = new AbortController();
  if (termMs > 0) {
    const late = delay(termMs, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([gone, late]);
    timer.abort();
  }
  const killed = await endTree(identity, 0);
  const names = inside.map((info) => `${info.name} (${info.pid})`);
  return {
    ended: [...new Set([...names, ...killed.ended])].filter((name) => !killed.left.includes(name)),
    left: killed.left,
  };
}
