import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEngine } from '../src-main/engine/engine.ts';
import { generateStream } from './generate.ts';
import { alternate, report } from './measure.ts';

const STREAM_BYTES = 200 * 1000 * 1000;
const ROUNDS = 5;
const BUDGET = 1.5;

interface SideResult {
  readonly ms: number;
  readonly peakBytes: number;
}

/** The floor: `readline` and `JSON.parse` over the file. Runs in a process of its own. */
export async function readWithReadline(path: string): Promise<SideResult> {
  const start = performance.now();
  let events = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const event: unknown = JSON.parse(line);
    if (event !== null) events++;
  }
  if (events === 0) throw new Error('the stream is empty');
  return result(start);
}

/** A whole turn whose agent prints the file: process, spool, reader, fold, evidence, store. Its own process, too. */
export async function readThroughEngine(path: string, work: string, events: number): Promise<SideResult> {
  const home = join(work, `home-${process.pid}`);
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'codex');
  await writeFile(program, `#!/bin/sh\nexec cat '${path}'\n`);
  await chmod(program, 0o755);
  const engine = await createEngine({
    dataDirectory: join(home, 'data'),
    version: 'bench',
    origin: 'api',
    scriptsDirectory: bin,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    askLoginShell: false,
    preferences: () => ({ executables: {}, environments: {}, commands: [] }),
    secret: () => null,
  });
  let published = 0;
  engine.on((event) => {
    if (event.name === 'seatEvents') published += event.payload.events.length;
  });
  const created = await engine.call('createConversation', { cwd: home, kind: 'chat', seats: [{ agent: 'codex' }] });
  if (!created.ok) throw new Error(created.error.message);
  const conversationId = created.value.conversation.id;
  const start = performance.now();
  await engine.call('sendMessage', { conversationId, text: 'go', attachmentIds: [] });
  await engine.idle(conversationId);
  const measured = result(start);
  const snapshot = await engine.call('openConversation', { conversationId });
  const outcome = snapshot.ok ? snapshot.value.turns[0]?.invocations[0]?.outcome : null;
  if (outcome?.kind !== 'completed' || published < events)
    throw new Error(`the turn was not whole: ${JSON.stringify(outcome)}`);
  await engine.close();
  await rm(home, { recursive: true });
  return measured;
}

function result(start: number): SideResult {
  return { ms: performance.now() - start, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

async function inOwnProcess(...args: string[]): Promise<SideResult> {
  const script = process.argv[1];
  if (script === undefined) throw new Error('no script');
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}`);
  const parsed: SideResult = JSON.parse(output);
  return parsed;
}

/** Reading a 200 MB event stream through Parley against reading it with `readline` and `JSON.parse`. */
export async function benchStream(work: string): Promise<void> {
  const path = join(work, 'stream.jsonl');
  const events = await generateStream(path, STREAM_BYTES);
  const peaks = { engine: 0, readline: 0 };
  const sides = await alternate(
    ROUNDS,
    async () => {
      const { ms, peakBytes } = await inOwnProcess('stream-engine', path, work, String(events));
      peaks.engine = Math.max(peaks.engine, peakBytes);
      return ms;
    },
    async () => {
      const { ms, peakBytes } = await inOwnProcess('stream-readline', path);
      peaks.readline = Math.max(peaks.readline, peakBytes);
      return ms;
    },
  );
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  console.log(report({ name: 'reading a 200 MB event stream', ...sides, budget: BUDGET }));
  console.log(`  peak memory: ${mebibytes(peaks.engine)} against ${mebibytes(peaks.readline)}; ${events} events`);
  await rm(path);
}
