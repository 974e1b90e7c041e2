/** Records what the real OpenCode prints. The README beside its transcripts says how to call it. */
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
import { LOOPBACK_MODEL, makeOpenCodeHome, type OpenCodeHomeOptions, realOpenCode } from './openCodeHome.ts';
import { FIRST_SESSION, recordAll, type Scenario } from './recorder.ts';

/** opencode 1.18 asks six times, and waits as long in between as it is told. */
const AT_ONCE = { 'retry-after-ms': '1' };
const TRIES = 6;

const run = (command: string, more: object = {}) => useTool('bash', { command, description: 'a command', ...more });
const read = (filePath: string) => useTool('read', { filePath });
const write = (filePath: string) => useTool('write', { filePath, content: 'hello\n' });
const refused = (status: number, code: string, message: string) =>
  refuse(status, { error: { message, type: code, code } }, AT_ONCE);
const repeat = (reply: ScriptedReply) => Array.from({ length: TRIES }, () => reply);

const SCENARIOS: readonly Scenario<OpenCodeHomeOptions>[] = [
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
      stream(run('seq 1 1000')),
      stream(run('sleep 9', { timeout: 900 })),
      stream(say('One command failed with code 3.')),
    ],
  },
  {
    name: 'killed',
    allowWrite: true,
    replies: [stream(run('echo done')), stream(run('sleep 600'))],
    killAfterTurns: 2,
  },
  { name: 'image', image: true, replies: [stream(say('One pixel.'))] },
  { name: 'resumed', resuming: FIRST_SESSION, image: true, replies: [stream(say('I remember the morning.'))] },
  {
    name: 'file-changes',
    allowWrite: true,
    replies: [
      stream(write('new.txt')),
      stream(read('new.txt'), useTool('edit', { filePath: 'new.txt', oldString: 'hello', newString: 'bye' })),
      stream(say('The file is there.')),
    ],
  },
  {
    name: 'read-only-refused',
    replies: [
      stream(run('touch spoilt'), write('spoilt.txt')),
      stream(read('/etc/hostname'), useTool('todowrite', { todos: 'none' })),
      stream(say('I may not write here.')),
    ],
  },
  {
    name: 'subagent',
    allowWrite: true,
    replies: [
      stream(useTool('task', { description: 'look', prompt: 'Look.', subagent_type: 'general' })),
      stream(say('Nothing there.')),
      stream(say('There is nothing.')),
    ],
  },
  {
    name: 'asked-and-refused',
    home: { config: { permission: { read: 'ask' } } },
    replies: [stream(read('new.txt')), stream(say('I was not allowed to read it.'))],
  },
  {
    name: 'repeated-call',
    replies: [
      stream(read('nothing.txt'), read('nothing.txt'), read('nothing.txt'), read('nothing.txt')),
      stream(say('Enough.')),
    ],
  },
  { name: 'retried', replies: [stream(say('Half an ans'), drop()), stream(say('The whole answer.'))] },
  { name: 'cut-short', replies: [stream(say('And th'), garbage(lengthReached()))] },
  {
    name: 'compacted',
    resuming: FIRST_SESSION,
    replies: [
      refused(400, 'context_length_exceeded', 'This model’s maximum context length is 200000 tokens.'),
      stream(say('What was said, in short.')),
      stream(say('It fits again.')),
    ],
  },
  {
    name: 'context-overflow',
    replies: repeat(refused(400, 'context_length_exceeded', 'This model’s maximum context length is 200000 tokens.')),
  },
  { name: 'turn-failed', replies: repeat(refused(400, 'invalid_image', 'Invalid image data.')) },
  { name: 'unauthorized', replies: [refused(401, 'invalid_api_key', 'Incorrect API key provided: x.')] },
  { name: 'rate-limit', replies: repeat(refused(429, 'rate_limit_exceeded', 'Rate limit reached.')) },
  {
    name: 'rate-limit-in-stream',
    replies: repeat(stream(fail('rate_limit_exceeded', 'Rate limit reached. Please try again in 0.1s.'))),
  },
  { name: 'quota', replies: repeat(refused(429, 'insufficient_quota', 'You exceeded your current quota.')) },
  {
    name: 'free-limit',
    replies: repeat(
      refuse(429, { type: 'error', error: { type: 'FreeUsageLimitError', message: 'Rate limit exceeded.' } }, AT_ONCE),
    ),
  },
  {
    name: 'no-credit',
    replies: [refuse(401, { type: 'error', error: { type: 'CreditsError', message: 'Insufficient balance.' } })],
  },
  { name: 'model-not-found', model: 'loopback/nothing-1', replies: [] },
  {
    name: 'model-refused',
    model: LOOPBACK_MODEL,
    replies: repeat(
      refused(404, 'model_not_found', 'The model `loopback-1` does not exist or you do not have access.'),
    ),
  },
  { name: 'overloaded', replies: repeat(refused(500, 'server_error', 'The server had an error.')) },
  { name: 'dropped', replies: repeat(stream(say('Half an ans'), drop())) },
  { name: 'unreachable', unreachable: true, replies: [] },
  { name: 'garbage-from-provider', replies: repeat(stream(garbage('data: {{{\n\n'), garbage('\u0001nonsense\n\n'))) },
  { name: 'no-answer', replies: [stream()] },
  { name: 'unknown-session', resuming: 'ses_0000000000000000000000000000', replies: [] },
];

/** The last chunk of a reply that the model’s limit cut off. */
function lengthReached(): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })}\n\n`;
}

await recordAll(
  {
    agent: 'opencode',
    program: realOpenCode,
    scenarios: SCENARIOS,
    makeHome: makeOpenCodeHome,
    sessionIn: (stdout) => /"sessionID":"([^"]+)"/.exec(stdout)?.[1] ?? null,
  },
  process.argv.slice(2),
);
