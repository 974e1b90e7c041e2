/**
 * Records what the real Codex prints, for `src-main/engine/agents/codex/transcripts/`: every scenario is one run of the
 * installed CLI against the loopback model. The README beside the transcripts says how to call it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agentById, type Invocation, type SeatTurn } from '../../src-main/engine/agents/index.ts';
import type { Attachment } from '../../src-shared/attachments.ts';
import { attachmentId, conversationId, runId } from '../../src-shared/ids.ts';
import {
  drop,
  fail,
  garbage,
  type LoopbackModel,
  refuse,
  type ScriptedReply,
  say,
  startLoopbackModel,
  stream,
  think,
  useTool,
} from '../loopback-model/index.ts';
import { type CodexHomeOptions, makeCodexHome } from './codexHome.ts';

const OUT = resolve('src-main/engine/agents/codex/transcripts');
const EXECUTABLE = resolve('e2e/clients/node_modules/.bin/codex');
/** Where nothing is cleared while a recording runs, as Playwright clears its own directory. */
const CACHE = resolve('e2e/clients/node_modules/.cache');
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** As the usage limit names it; the year is far enough away for Codex to print the whole date. */
const RESETS_AT_SECONDS = 4_070_908_800;

interface Scenario {
  readonly name: string;
  readonly replies: readonly ScriptedReply[];
  readonly home?: CodexHomeOptions;
  readonly allowWrite?: boolean;
  readonly resuming?: string;
  readonly image?: boolean;
  /** Ended by a signal as soon as this many replies were asked for. */
  readonly killAfterTurns?: number;
}

/** The session that `plain` opened; later scenarios resume it. */
const PLAIN_SESSION = 'the session of the scenario "plain"';
const run = (cmd: string) => useTool('exec_command', { cmd });

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'plain',
    replies: [stream(think('The operator greets.'), say('Good ', 'morning. ', 'What shall we do?'))],
  },
  {
    name: 'commands',
    replies: [
      stream(say('I look around.'), run('echo one; echo two >&2')),
      stream(run("printf '\\033[31mred\\033[0m äöü 😀\\n'; exit 3")),
      stream(run('seq 1 3000')),
      stream(say('One command failed with code 3.')),
    ],
  },
  {
    name: 'command-still-running',
    replies: [
      stream(useTool('exec_command', { cmd: 'echo begun; sleep 600', yield_time_ms: 300 })),
      stream(say('The command is still running.')),
    ],
  },
  {
    name: 'killed',
    replies: [
      stream(run('echo done')),
      stream(useTool('exec_command', { cmd: 'echo begun; sleep 600', yield_time_ms: 300 })),
      stream(say('Never heard.')),
    ],
    killAfterTurns: 3,
  },
  { name: 'image', image: true, replies: [stream(say('One pixel.'))] },
  { name: 'resumed', resuming: PLAIN_SESSION, image: true, replies: [stream(say('I remember the morning.'))] },
  {
    name: 'read-only-write-refused',
    replies: [stream(run('touch new.txt')), stream(say('I could not write the file.'))],
  },
  {
    name: 'file-change',
    allowWrite: true,
    replies: [
      stream(run("apply_patch <<'END'\n*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\nEND")),
      stream(say('The file is there.')),
    ],
  },
  {
    name: 'retried',
    replies: [stream(say('Half an ans'), drop()), stream(say('The whole answer.'))],
  },
  { name: 'turn-failed', replies: [refuse(400, { error: { message: 'Invalid image data.', code: 'invalid_image' } })] },
  {
    name: 'unauthorized',
    replies: repeat(refuse(401, { error: { message: 'Incorrect API key provided: x.', code: 'invalid_api_key' } })),
  },
  {
    name: 'not-signed-in',
    home: { wantsAccount: true },
    replies: repeat(refuse(401, { error: { message: 'Missing bearer or basic authentication in header' } })),
  },
  {
    name: 'rate-limit',
    replies: repeat(
      refuse(429, { error: { message: 'Rate limit reached.', code: 'rate_limit_exceeded' } }, { 'retry-after': '1' }),
    ),
  },
  {
    name: 'rate-limit-in-stream',
    replies: repeat(stream(fail('rate_limit_exceeded', 'Rate limit reached. Please try again in 0.1s.'))),
  },
  {
    name: 'usage-limit',
    replies: [
      refuse(429, {
        error: {
          type: 'usage_limit_reached',
          message: 'The usage limit has been reached',
          plan_type: 'plus',
          resets_at: RESETS_AT_SECONDS,
          resets_in_seconds: 3600,
        },
      }),
    ],
  },
  {
    name: 'usage-limit-without-time',
    replies: [refuse(429, { error: { type: 'usage_limit_reached', message: 'The usage limit has been reached' } })],
  },
  {
    name: 'quota',
    replies: [refuse(429, { error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } })],
  },
  {
    name: 'context-overflow',
    replies: [stream(fail('context_length_exceeded', 'Your input exceeds the context window of this model.'))],
  },
  {
    name: 'model-not-found',
    replies: repeat(
      refuse(404, {
        error: {
          message: 'The model `loopback-1` does not exist or you do not have access to it.',
          code: 'model_not_found',
        },
      }),
    ),
  },
  { name: 'overloaded', replies: repeat(refuse(500, { error: { message: 'The server had an error.' } })) },
  { name: 'dropped', replies: repeat(stream(say('Half an ans'), drop())) },
  { name: 'garbage-from-provider', replies: [stream(garbage('data: {{{\n\n'), garbage('\u0001nonsense\n\n'))] },
  { name: 'unknown-session', resuming: '01900000-0000-7000-8000-000000000000', replies: [] },
];

function repeat(reply: ScriptedReply): readonly ScriptedReply[] {
  return Array.from({ length: 8 }, () => reply);
}

async function record(model: LoopbackModel, root: string, scenario: Scenario, session: string | null): Promise<string> {
  model.reset();
  model.script(...scenario.replies);
  const directories = { cwd: join(root, 'cwd'), home: join(root, 'home'), data: join(root, 'data') };
  const image = join(directories.data, 'attachments', 'pixel.png');
  for (const directory of [directories.cwd, join(directories.data, 'attachments')])
    mkdirSync(directory, { recursive: true });
  writeFileSync(image, PIXEL);
  const variables = makeCodexHome(directories.home, model.url, scenario.home);
  const resuming = scenario.resuming === PLAIN_SESSION ? session : (scenario.resuming ?? null);
  const commandLine = agentById('codex').command(
    invocationIn(directories, scenario, image),
    seatTurn(resuming, scenario.image === true ? [pixel(image)] : []),
    { program: EXECUTABLE, args: [], env: {} },
  );
  const child = spawn(commandLine.program, commandLine.args, {
    cwd: directories.cwd,
    env: { PATH: process.env.PATH, HOME: root, ...variables, ...commandLine.env },
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.stdin.end('Good morning.');
  const closed = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.on('close', (code, signal) => done({ code, signal }));
  });
  if (scenario.killAfterTurns !== undefined && child.pid !== undefined) {
    await model.turn(scenario.killAfterTurns - 1);
    process.kill(-child.pid, 'SIGKILL');
  }
  const exit = await closed;
  const neutral = (text: string) =>
    text.replaceAll(root, '/work-tree').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080');
  writeFileSync(join(OUT, `${scenario.name}.stdout.jsonl`), neutral(output.stdout));
  const ending = { args: commandLine.args.map(neutral), resuming, exit, stderr: neutral(output.stderr) };
  writeFileSync(join(OUT, `${scenario.name}.end.json`), `${JSON.stringify(ending, null, 2)}\n`);
  console.log(`${scenario.name}: exit ${exit.code ?? exit.signal}, ${output.stdout.split('\n').length - 1} lines`);
  return /"thread_id":"([^"]+)"/.exec(output.stdout)?.[1] ?? '';
}

function invocationIn(directories: { cwd: string; data: string }, scenario: Scenario, image: string): Invocation {
  return {
    cwd: directories.cwd,
    prompt: '',
    timeoutMs: 60_000,
    allowWrite: scenario.allowWrite ?? false,
    sessions: true,
    artifactsDir: join(directories.data, 'artifacts', 'run'),
    stem: 'chat',
    run: runId.parse('run-20260101-000000-00000000'),
    node: 'chat',
    attachments: scenario.image === true ? [image] : [],
  };
}

function seatTurn(sessionId: string | null, images: readonly Attachment[]): SeatTurn {
  return { access: 'read-only', model: null, sessionId, mintedSessionId: '', images, definition: null };
}

function pixel(path: string): Attachment {
  return {
    id: attachmentId.parse('att-20260101-000000-00000000'),
    conversationId: conversationId.parse('conv-20260101-000000-00000000'),
    name: 'pixel.png',
    mime: 'image/png',
    bytes: PIXEL.byteLength,
    width: 1,
    height: 1,
    sha256: '0'.repeat(64),
    path,
  };
}

mkdirSync(CACHE, { recursive: true });
const root = mkdtempSync(join(CACHE, 'record-codex-'));
mkdirSync(OUT, { recursive: true });
const model = await startLoopbackModel();
let session: string | null = null;
// Names on the command line record these alone; the first scenario opens the session that "resumed" goes on with.
const chosen = process.argv.slice(2);
for (const scenario of SCENARIOS) {
  const wanted = scenario.name === 'plain' && chosen.includes('resumed') ? true : chosen.includes(scenario.name);
  if (chosen.length > 0 && !wanted) continue;
  const opened = await record(model, root, scenario, session);
  session ??= opened;
}
await model.close();
rmSync(root, { recursive: true });
