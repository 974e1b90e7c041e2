/** Records what the real Claude Code prints. The README beside its transcripts says how to call it. */
import {
  drop,
  fail,
  garbage,
  refuse,
  type ScriptedReply,
  say,
  stream,
  think,
  useTool,
} from '../loopback-model/index.ts';
import { type ClaudeHomeOptions, makeClaudeHome, realClaude } from './claudeHome.ts';
import { FIRST_SESSION, recordAll, type Scenario } from './recorder.ts';

/** As the usage limit names it; the year is far enough away for Claude Code to print the whole date. */
const RESETS_AT_SECONDS = 4_070_908_800;

const run = (command: string, more: object = {}) => useTool('Bash', { command, description: 'a command', ...more });
const read = (file_path: string) => useTool('Read', { file_path });
const write = (file_path: string) => useTool('Write', { file_path, content: 'hello\n' });
const refused = (status: number, type: string, message: string, headers = {}) =>
  refuse(status, { type: 'error', error: { type, message } }, headers);

function repeat(reply: ScriptedReply): readonly ScriptedReply[] {
  return Array.from({ length: 4 }, () => reply);
}

const SCENARIOS: readonly Scenario<ClaudeHomeOptions>[] = [
  {
    name: 'plain',
    replies: [stream(think('The operator greets.'), say('Good ', 'morning. ', 'What shall we do?'))],
  },
  {
    name: 'commands',
    allowWrite: true,
    replies: [
      stream(say('I ', 'look around.'), run('echo one; echo two >&2'), run('exit 4')),
      stream(run("printf '\\033[31mred\\033[0m äöü 😀\\n'; exit 3")),
      stream(run('seq 1 2500')),
      stream(run('sleep 9', { timeout: 300 })),
      stream(say('One command failed with code 3.')),
    ],
  },
  {
    name: 'background',
    allowWrite: true,
    replies: [
      stream(run('true', { run_in_background: true })),
      stream(run('sleep 0.5')),
      stream(run('exec sleep 600', { run_in_background: true })),
      stream(say('One command is still running.')),
    ],
  },
  {
    name: 'killed',
    allowWrite: true,
    replies: [
      stream(run('echo done')),
      stream(run('sleep 600', { run_in_background: true }), run('sleep 601', { run_in_background: true })),
      stream(say('Never heard.')),
    ],
    killAfterTurns: 3,
  },
  { name: 'image', image: true, replies: [stream(say('One pixel.'))] },
  {
    name: 'resumed',
    resuming: FIRST_SESSION,
    image: true,
    replies: [(request) => stream(read(imageIn(request.body))), stream(say('I remember the morning.'))],
  },
  {
    name: 'read-only',
    replies: [
      stream(run('ls'), run('touch new.txt'), run('echo x > new.txt')),
      stream(run('python3 -c 1'), run('cat /etc/hostname')),
      stream(write('/work-tree/new.txt'), read('/etc/hostname'), useTool('EnterWorktree', { name: 'w' })),
      stream(say('I could not write.')),
    ],
  },
  {
    name: 'can-write',
    allowWrite: true,
    image: true,
    replies: [
      (request) => {
        const image = imageIn(request.body);
        return stream(write('new.txt'), write(`${image}.txt`), run(`touch '${image}.txt'`), write('/etc/new.txt'));
      },
      stream(say('I wrote one file.')),
    ],
  },
  {
    name: 'helper',
    allowWrite: true,
    replies: [
      stream(
        useTool('Agent', { description: 'look around', prompt: 'Look around.', subagent_type: 'general-purpose' }),
      ),
      stream(say('I look.'), run('echo seen')),
      stream(say('The helper’s answer.')),
      stream(say('The agent’s answer.')),
    ],
  },
  {
    name: 'retried',
    home: { retries: 1 },
    replies: [refused(529, 'overloaded_error', 'Overloaded'), stream(say('The whole answer.'))],
  },
  { name: 'broken-off', replies: [stream(say('Half an ans'), drop())] },
  { name: 'unreachable', unreachable: true, replies: [] },
  { name: 'overloaded', replies: [stream(say('Half'), fail('overloaded_error', 'Overloaded'))] },
  { name: 'server-error', replies: repeat(refused(529, 'overloaded_error', 'Overloaded')) },
  { name: 'no-answer', replies: repeat(stream()) },
  { name: 'garbage-from-provider', replies: repeat(stream(garbage('data: {{{\n\n'), garbage('\u0001nonsense\n\n'))) },
  { name: 'unauthorized', replies: [refused(401, 'authentication_error', 'invalid x-api-key')] },
  { name: 'not-signed-in', home: { account: 'none' }, replies: [] },
  {
    name: 'rate-limit',
    home: { retries: 1 },
    replies: repeat(
      refused(429, 'rate_limit_error', 'This request would exceed your rate limit.', { 'retry-after': '0' }),
    ),
  },
  {
    name: 'usage-limit',
    home: { account: 'subscription' },
    replies: [
      refused(429, 'rate_limit_error', 'This request would exceed your account’s limit.', {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(RESETS_AT_SECONDS),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      }),
    ],
  },
  {
    name: 'no-credit',
    replies: [refused(400, 'invalid_request_error', 'Your credit balance is too low to access the API.')],
  },
  {
    name: 'context-overflow',
    replies: [refused(400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum')],
  },
  { name: 'turn-failed', replies: [refused(400, 'invalid_request_error', 'messages.0.content.1.image: unreadable')] },
  {
    name: 'model-not-found',
    model: 'loopback-9',
    replies: repeat(refused(404, 'not_found_error', 'model: loopback-9')),
  },
  { name: 'unknown-session', resuming: '01900000-0000-4000-8000-000000000000', replies: [] },
  {
    name: 'permissions-skipped-as-root',
    replies: [],
    args: (args) =>
      args.map((word) => (word.startsWith('--permission-mode=') ? '--permission-mode=bypassPermissions' : word)),
  },
];

/** The path that the prompt names. */
function imageIn(body: unknown): string {
  return /@\\"([^"\\]+)\\"/.exec(JSON.stringify(body))?.[1] ?? 'no image';
}

await recordAll(
  {
    agent: 'claude',
    program: realClaude(),
    scenarios: SCENARIOS,
    makeHome: makeClaudeHome,
    sessionIn: (stdout) => /"session_id":"([^"]+)"/.exec(stdout)?.[1] ?? null,
  },
  process.argv.slice(2),
);
