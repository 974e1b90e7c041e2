import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';

/**
 * A program in the place of the Codex CLI, for what a real one cannot be made to do at a given moment: to stay at work
 * until a test says go on, and to say exactly these words. It prints the lines of codex-cli 0.171 and records what it
 * was given. A message that begins with `hold` waits; one that begins with `say` is answered with `saying.md`; one that
 * begins with `deny` has a command declined. How it fails is as in the agent's recorded transcripts.
 */
const PROGRAM = `#!/usr/bin/env node
const { spawn } = require('node:child_process');
const { readdirSync, readFileSync, writeFileSync, existsSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('codex-cli 0.171.0');
  process.exit(0);
}
const here = __dirname;
const prompt = readFileSync(0, 'utf8');
// After a transcript that is told again, if there is one.
const asked = prompt.split('The new message:\\n\\n').at(-1);
const line = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const item = (type, id, fields) => line({ type, item: { id, ...fields } });
const message = (id, text) => item('item.completed', id, { type: 'agent_message', text });
const number = readdirSync(here).filter((name) => name.startsWith('turn-')).length + 1;
const resume = args.indexOf('resume');
const holds = asked.startsWith('hold');
const forgotten = join(here, 'forgotten');
if (resume !== -1 && existsSync(forgotten) && readFileSync(forgotten, 'utf8') === args[resume + 1]) {
  const why = 'no rollout found for thread id ' + args[resume + 1] + ' (code -32600)';
  console.error('Error: thread/resume: thread/resume failed: ' + why);
  process.exit(1);
}
const grandchild = holds ? spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).pid : null;

line({ type: 'thread.started', thread_id: resume === -1 ? '0199a213-81c0-7800-8aa1-00000000000' + number : args[resume + 1] });
line({ type: 'turn.started' });
writeFileSync(join(here, 'turn-' + number + '.json'), JSON.stringify({ args, prompt, pid: process.pid, grandchild, at: Date.now() }));
const failure = join(here, 'failure');
if (existsSync(failure)) {
  const message = readFileSync(failure, 'utf8');
  rmSync(failure);
  line({ type: 'error', message });
  line({ type: 'turn.failed', error: { message } });
  process.exit(1);
}
if (asked.startsWith('deny')) {
  const refused = { type: 'command_execution', command: "/bin/bash -lc 'rm -rf build'", aggregated_output: '' };
  item('item.started', 'item_d', { ...refused, exit_code: null, status: 'in_progress' });
  item('item.completed', 'item_d', { ...refused, exit_code: null, status: 'declined' });
}
if (holds) {
  const command = { type: 'command_execution', command: "/bin/bash -lc 'make check'" };
  const running = { ...command, aggregated_output: '', exit_code: null, status: 'in_progress' };
  item('item.started', 'item_0', running);
  item('item.completed', 'item_0', { ...command, aggregated_output: 'all good\\n', exit_code: 0, status: 'completed' });
  message('item_1', 'Working on it.');
  item('item.started', 'item_2', { ...running, command: "/bin/bash -lc 'sleep 600'" });
  // Comes back when the test writes to the pipe.
  readFileSync(join(here, 'gate'));
  process.kill(grandchild);
}
const saying = join(here, 'saying.md');
const says = asked.startsWith('say') && existsSync(saying);
message('item_3', says ? readFileSync(saying, 'utf8') : 'Heard: ' + asked.split('\\n')[0]);
line({ type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 2, output_tokens: 3 } });
`;

const taken = z.object({
  args: z.array(z.string()),
  prompt: z.string(),
  pid: z.number(),
  grandchild: z.number().nullable(),
  /** When it began, ms since the epoch. */
  at: z.number(),
});
/** What the program was given in one turn. */
export type TakenTurn = z.infer<typeof taken>;

export interface FakeCodex {
  path: string;
  /** The turns that it has begun, in order. */
  turns(): Promise<TakenTurn[]>;
  /** Lets the turn that waits go on. */
  release(): Promise<void>;
  /** What it answers to a message that begins with `say`. */
  willSay(text: string): Promise<void>;
  /** Its next turn fails with these words. */
  willFail(message: string): Promise<void>;
  /** Its next turn meets a usage limit that ends then, as it words it: “in 5 seconds”, “at Jan 1st, 2099 12:00 AM”. */
  willReachLimit(until: string): Promise<void>;
  /** It no longer knows this session. */
  forget(session: string): Promise<void>;
}

/** Writes the program into `directory`, which is made. */
export async function installFakeCodex(directory: string): Promise<FakeCodex> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'codex');
  const gate = join(directory, 'gate');
  await writeFile(path, PROGRAM);
  await chmod(path, 0o755);
  execFileSync('mkfifo', [gate]);
  const willFail = (message: string) => writeFile(join(directory, 'failure'), message);
  return {
    path,
    async turns() {
      const names = (await readdir(directory)).filter((name) => name.startsWith('turn-')).sort();
      return Promise.all(
        names.map(async (name) => taken.parse(JSON.parse(await readFile(join(directory, name), 'utf8')))),
      );
    },
    // Writing to a pipe waits for its reader.
    release: () => writeFile(gate, 'go on'),
    willSay: (text) => writeFile(join(directory, 'saying.md'), text),
    willFail,
    willReachLimit: (until) => willFail(`You’ve hit your usage limit. Upgrade to Pro or try again ${until}.`),
    forget: (session) => writeFile(join(directory, 'forgotten'), session),
  };
}

/** Makes the program the Codex of this data directory. */
export async function useCodex(page: Page, path: string): Promise<void> {
  const result = await page.evaluate(
    (codex) => window.parley?.call('setPreferences', { preferences: { executables: { codex } } }),
    path,
  );
  if (result === undefined || !result.ok) throw new Error('the preferences could not be changed');
}

/** Whether a process is there. A zombie is not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    // There is no such process.
    return false;
  }
}
