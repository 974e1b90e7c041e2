import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../process/index.ts';
import type { StartedProcess, Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { toolsFor } from './index.ts';
import type { Sandbox } from './sandbox.ts';

export const NO_SANDBOX: Sandbox = { kind: 'none', why: 'a test says so' };

/** Real directories that a seat's tools work in, and what the tools reported. */
export interface Yard {
  readonly cwd: string;
  /** Beside cwd: nothing there may be seen. */
  readonly outside: string;
  /** A grant. */
  readonly readable: string;
  /** Parley's data. */
  readonly hidden: string;
  readonly kept: string;
  readonly processes: StartedProcess[];
  readonly printed: { stdout: string; stderr: string };
  context(changes?: Partial<ToolContext>): ToolContext;
  run(name: string, input: unknown, changes?: Partial<ToolContext>, sandbox?: Sandbox): Promise<ToolOutcome>;
  remove(): Promise<void>;
}

export async function makeYard(): Promise<Yard> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-tools-')));
  const [cwd, outside, readable, hidden, scratch, kept] = [
    'cwd',
    'outside',
    'readable',
    'hidden',
    'scratch',
    'kept',
  ].map((name) => join(base, name)) as [string, string, string, string, string, string];
  await Promise.all([cwd, outside, readable, hidden, scratch, kept].map((path) => mkdir(path)));
  const processes: StartedProcess[] = [];
  const printed = { stdout: '', stderr: '' };
  const own = { run: 'run-1', node: 'chat', seat: 'seat-1', marker: `inv-tools-${process.pid}` };
  const environment = childEnvironment(process.env, process.env.PATH ?? '', own, {}).variables;
  const context = (changes: Partial<ToolContext> = {}): ToolContext => ({
    callId: 'call_1',
    cwd,
    readable: [readable],
    hidden: [hidden],
    allowWrite: true,
    commands: { environment, scratch, cacheDir: null },
    signal: new AbortController().signal,
    graceMs: 1_000,
    onOutput: (stream, chunk) => {
      printed[stream] += chunk.toString('latin1');
    },
    onProcess: (process) => {
      processes.push(process);
    },
    saveArtifact: async (name, source) => {
      const path = join(kept, name);
      await ('bytes' in source ? writeFile(path, source.bytes) : copyFile(source.path, path));
      return { name, path };
    },
    ...changes,
  });
  return {
    ...{ cwd, outside, readable, hidden, kept, processes, printed, context },
    run: (name, input, changes, sandbox = NO_SANDBOX) => {
      const made = context(changes);
      return toolNamed(name, made.allowWrite, sandbox).run(input, made);
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

export function toolNamed(name: string, allowWrite = true, sandbox: Sandbox = NO_SANDBOX): Tool {
  const tool = toolsFor({ allowWrite, sandbox }).find(({ spec }) => spec.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
