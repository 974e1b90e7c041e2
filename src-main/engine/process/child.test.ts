import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChildResult, Clocks, childEnvironment, findTree, runChild } from './index.ts';

let directory: string;
let marker: string;
let counter = 0;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-child-'));
  marker = `inv-test-${process.pid}-${counter++}`;
});
afterEach(() => rm(directory, { recursive: true }));

interface Running {
  readonly result: Promise<ChildResult>;
  readonly cancel: AbortController;
  /** Resolves when stdout so far holds `text`. */
  seen(text: string): Promise<void>;
  stdout(): string;
}

async function start(
  program: string,
  args: string[],
  options: { timeoutMs?: number; idleMs?: number; stdin?: string } = {},
) {
  const stdoutPath = join(directory, 'a.stdout.log');
  const stderrPath = join(directory, 'a.stderr.log');
  await writeFile(stdoutPath, '');
  await writeFile(stderrPath, '');
  let stdinPath: string | null = null;
  if (options.stdin !== undefined) {
    stdinPath = join(directory, 'a.prompt.md');
    await writeFile(stdinPath, options.stdin);
  }
  const cancel = new AbortController();
  let output = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  const own = { run: 'run-1', node: 'chat', seat: 'seat-1', marker };
  const result = runChild(
    {
      program,
      args,
      cwd: directory,
      env: childEnvironment(process.env, process.env.PATH ?? '', own, {}).variables,
      stdinPath,
      stdoutPath,
      stderrPath,
      marker,
    },
    cancel.signal,
    new Clocks({ wallMs: options.timeoutMs ?? 60_000, idleMs: options.idleMs ?? null }),
    {
      onStarted: () => {},
      onStdout: (chunk) => {
        output += chunk.toString('latin1');
        for (const waiter of waiting) if (output.includes(waiter.text)) waiter.resolve();
      },
      onStderr: () => {},
    },
  );
  const running: Running = {
    result,
    cancel,
    stdout: () => output,
    seen: (text) =>
      new Promise((resolve) => {
        waiting.push({ text, resolve });
        if (output.includes(text)) resolve();
      }),
  };
  return running;
}

const sh = (script: string, options?: { timeoutMs?: number; idleMs?: number; stdin?: string }) =>
  start('/bin/sh', ['-c', script], options);
const tree = () => findTree({ root: null, marker });

describe('runChild', () => {
  it('reports code and output of a process that exits', async () => {
    const running = await sh('echo out; echo err >&2; exit 3');
    const { end, tree } = await running.result;
    expect(end).toEqual({ kind: 'exited', code: 3, signal: null });
    expect(tree.ended).toEqual([]);
    expect(running.stdout()).toBe('out\n');
    expect(await readFile(join(directory, 'a.stderr.log'), 'utf8')).toBe('err\n');
  });

  it('feeds a prompt of 5 MB to a process that reads it late, and to one that never does', async () => {
    const prompt = 'x'.repeat(5_000_000);
    const late = await sh('echo ready; wc -c', { stdin: prompt });
    await late.result;
    expect(late.stdout().replace(/\s+/g, ' ')).toBe('ready 5000000 ');
    const never = await sh('exit 0', { stdin: prompt });
    expect((await never.result).end).toMatchObject({ kind: 'exited', code: 0 });
  });

  it('says why a program could not be started', async () => {
    const running = await start('/no/such/program', []);
    const { end } = await running.result;
    expect(end.kind).toBe('not-started');
  });

  it('ends a whole tree: grandchildren, those with a session of their own, and those that refuse the first signal', async () => {
    const running = await sh(`
      sh -c 'trap "" TERM; setsid sleep 600 & sleep 600 & echo deep; wait' &
      (setsid sh -c 'sleep 601 & echo away; wait' &)
      wait`);
    await Promise.all([running.seen('deep'), running.seen('away')]);
    expect((await tree()).length).toBeGreaterThanOrEqual(5);
    // A shell has forked before it becomes what it is to run.
    await expect.poll(async () => (await tree()).filter(({ name }) => name === 'sleep').length).toBe(3);
    running.cancel.abort();
    const { end, tree: ending } = await running.result;
    expect(end).toEqual({ kind: 'cancelled' });
    expect(ending.left).toEqual([]);
    expect(ending.ended.filter((text) => text.startsWith('sleep')).length).toBe(3);
    expect(await tree()).toEqual([]);
  });

  it('keeps every byte that was printed before the time limit', async () => {
    const running = await sh('printf "abc"; printf "def\\n"; sleep 600', { timeoutMs: 400 });
    const { end } = await running.result;
    expect(end).toEqual({ kind: 'timed-out', clock: 'wall', limitMs: 400 });
    expect(running.stdout()).toBe('abcdef\n');
    expect(await tree()).toEqual([]);
  });

  it('does not wait for a helper that keeps the output open, and ends it', async () => {
    const running = await sh('sleep 600 & echo done');
    const { end, tree: ending } = await running.result;
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
    expect(ending.ended).toEqual([expect.stringMatching(/^(sleep|sh) \(\d+\)$/)]);
    expect(running.stdout()).toBe('done\n');
  });

  it('ends nothing that carries another marker', async () => {
    const other = marker;
    const bystander = await sh('echo here; sleep 600');
    await bystander.seen('here');
    marker = `${marker}-b`;
    const running = await sh('exit 0');
    await running.result;
    expect((await findTree({ root: null, marker: other })).length).toBeGreaterThan(0);
    bystander.cancel.abort();
    await bystander.result;
  });

  it('does not take a process for the root whose pid was used again', async () => {
    const running = await sh('echo here; exec sleep 600');
    await running.seen('here');
    const [root] = await tree();
    expect(root).toBeDefined();
    const reused = await findTree({ root: { pid: root?.pid ?? 0, started: 'another time' }, marker });
    expect(reused).toEqual([]);
    running.cancel.abort();
    await running.result;
  });

  it('reads 20 MB of output whole while it is written', async () => {
    const running = await sh('head -c 20000000 /dev/zero | tr "\\0" "y"');
    await running.result;
    expect(running.stdout().length).toBe(20_000_000);
  });
});
