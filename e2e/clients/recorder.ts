/** Records what a real CLI prints, for its `transcripts/`: every scenario is one run against the loopback model. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agentById, type CommandLine, type Invocation, type SeatTurn } from '../../src-main/engine/agents/index.ts';
import type { AgentId } from '../../src-shared/agents.ts';
import type { Attachment } from '../../src-shared/attachments.ts';
import { attachmentId, conversationId, runId } from '../../src-shared/ids.ts';
import { type ScriptedReply, startLoopbackModel } from '../loopback-model/index.ts';

export interface Scenario<Home> {
  readonly name: string;
  readonly replies: readonly ScriptedReply[];
  readonly home?: Home;
  readonly prompt?: string;
  readonly model?: string;
  readonly allowWrite?: boolean;
  readonly resuming?: string;
  readonly image?: boolean;
  /** Nobody listens where it looks for its model. */
  readonly unreachable?: boolean;
  /** Ended by a signal as soon as this many replies were asked for. */
  readonly killAfterTurns?: number;
  /** Words other than those that the agent's command line has. */
  args?(args: readonly string[]): readonly string[];
}

/** The session that the first scenario opened; later ones resume it. */
export const FIRST_SESSION = 'the session of the first scenario';

export interface Recorder<Home> {
  readonly agent: AgentId;
  readonly program: string;
  readonly scenarios: readonly Scenario<Home>[];
  /** Makes a home of the CLI whose model answers on `url`, and returns the variables that a child needs. */
  makeHome(directory: string, url: string, options?: Home): Readonly<Record<string, string>>;
  /** The id of the session that it opened. */
  sessionIn(stdout: string): string | null;
}

/** Where nothing is cleared while a recording runs, as Playwright clears its own directory. */
const CACHE = resolve('e2e/clients/node_modules/.cache');
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @param chosen names of scenarios; all of them, when empty. The first is always run, because it opens the session. */
export async function recordAll<Home>(recorder: Recorder<Home>, chosen: readonly string[]): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const root = mkdtempSync(join(CACHE, `record-${recorder.agent}-`));
  let session: string | null = null;
  for (const [index, scenario] of recorder.scenarios.entries()) {
    if (index > 0 && chosen.length > 0 && !chosen.includes(scenario.name)) continue;
    const opened: string | null = await record(recorder, root, scenario, session);
    session ??= opened;
  }
  rmSync(root, { recursive: true });
}

async function record<Home>(
  recorder: Recorder<Home>,
  root: string,
  scenario: Scenario<Home>,
  session: string | null,
): Promise<string | null> {
  const out = resolve('src-main/engine/agents', recorder.agent, 'transcripts');
  const model = await startLoopbackModel();
  model.script(...scenario.replies);
  const place = { cwd: join(root, 'cwd'), data: join(root, 'data'), image: join(root, 'data', 'images', 'c', 'a.png') };
  const artifacts = join(place.data, 'artifacts', 'run');
  for (const directory of [out, place.cwd, dirname(place.image), artifacts]) mkdirSync(directory, { recursive: true });
  writeFileSync(place.image, PIXEL);
  const url = scenario.unreachable === true ? 'http://127.0.0.1:9' : model.url;
  const variables = recorder.makeHome(join(root, 'home'), url, scenario.home);
  const resuming = scenario.resuming === FIRST_SESSION ? session : (scenario.resuming ?? null);
  const commandLine = commandLineOf(recorder, scenario, place, artifacts, resuming);
  for (const { ending, text } of commandLine.files ?? []) writeFileSync(join(artifacts, `chat${ending}`), text);
  const args = scenario.args?.(commandLine.args) ?? commandLine.args;
  const child = spawn(commandLine.program, args, {
    cwd: place.cwd,
    env: { PATH: process.env.PATH, HOME: root, TZ: 'UTC', ...variables, ...commandLine.env },
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const path = agentById(recorder.agent).pathInPrompt?.(place.image) ?? place.image;
  const prompt = scenario.prompt ?? 'Good morning.';
  child.stdin.end(scenario.image === true ? `${prompt}\n\n- ${path} (image/png)\n` : prompt);
  const closed = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.on('close', (code, signal) => done({ code, signal }));
  });
  if (scenario.killAfterTurns !== undefined && child.pid !== undefined) {
    await model.turn(scenario.killAfterTurns - 1);
    process.kill(-child.pid, 'SIGKILL');
  }
  const exit = await closed;
  await model.close();
  const neutral = (text: string) =>
    text
      .replaceAll(root, '/work-tree')
      .replaceAll(root.replaceAll(/[^0-9A-Za-z]/g, '-'), '-work-tree')
      .replaceAll(resolve('.'), '/parley')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080');
  writeFileSync(join(out, `${scenario.name}.stdout.jsonl`), neutral(output.stdout));
  const ending = {
    args: args.map(neutral),
    resuming,
    exit,
    model: scenario.model ?? null,
    stderr: neutral(output.stderr),
  };
  writeFileSync(join(out, `${scenario.name}.end.json`), `${JSON.stringify(ending, null, 2)}\n`);
  console.log(`${scenario.name}: exit ${exit.code ?? exit.signal}, ${output.stdout.split('\n').length - 1} lines`);
  return recorder.sessionIn(output.stdout);
}

function commandLineOf<Home>(
  recorder: Recorder<Home>,
  scenario: Scenario<Home>,
  place: { cwd: string; image: string },
  artifactsDir: string,
  sessionId: string | null,
): CommandLine {
  const invocation: Invocation = {
    cwd: place.cwd,
    prompt: '',
    timeoutMs: 60_000,
    allowWrite: scenario.allowWrite ?? false,
    sessions: true,
    artifactsDir,
    stem: 'chat',
    run: runId.parse('run-20260101-000000-00000000'),
    node: 'chat',
    attachments: scenario.image === true ? [place.image] : [],
  };
  const seat: SeatTurn = {
    access: scenario.allowWrite === true ? 'can-write' : 'read-only',
    model: scenario.model ?? null,
    sessionId,
    mintedSessionId: randomUUID(),
    images: scenario.image === true ? [pixel(place.image)] : [],
    definition: null,
  };
  const executable = { program: recorder.program, args: [], env: {} };
  const commandLine = agentById(recorder.agent).command(invocation, seat, executable);
  if ('kind' in commandLine) throw new Error(`no command line: ${commandLine.kind}`);
  return commandLine;
}

function pixel(path: string): Attachment {
  return {
    id: attachmentId.parse('att-20260101-000000-00000000'),
    conversationId: conversationId.parse('conv-20260101-000000-00000000'),
    name: 'a.png',
    mime: 'image/png',
    bytes: PIXEL.byteLength,
    width: 1,
    height: 1,
    sha256: '0'.repeat(64),
    path,
  };
}
