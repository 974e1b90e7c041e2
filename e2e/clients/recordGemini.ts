/** Records what the real Gemini CLI prints. The README beside its transcripts says how to call it. */
import {
  drop,
  fail,
  garbage,
  type RecordedRequest,
  refuse,
  type ScriptedReply,
  say,
  stream,
  think,
  useTool,
} from '../loopback-model/index.ts';
import { type GeminiHomeOptions, makeGeminiHome, realGemini } from './geminiHome.ts';
import { FIRST_SESSION, recordAll, type Scenario } from './recorder.ts';

const run = (command: string, more: object = {}) => useTool('run_shell_command', { command, ...more });
const readFile = (file_path: string) => useTool('read_file', { file_path });
const writeFile = (file_path: string) => useTool('write_file', { file_path, content: 'hello\n' });

/** The attached image: the CLI tells its model which directories it may read, and the name without the directory. */
function imageIn({ input }: RecordedRequest): string {
  const directory = /\/\S+\/images\/c$/m.exec(input?.userTexts.join('\n') ?? '')?.[0];
  if (directory === undefined) throw new Error('the directory of the image is not granted');
  return `${directory}/a.png`;
}

/** A refusal as Google's API words it. */
function api(code: number, status: string, message: string, ...details: readonly object[]): ScriptedReply {
  return refuse(code, { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } });
}

const detail = (type: string, fields: object) => ({ '@type': `type.googleapis.com/google.rpc.${type}`, ...fields });

function repeat(reply: ScriptedReply): readonly ScriptedReply[] {
  return Array.from({ length: 4 }, () => reply);
}

const SCENARIOS: readonly Scenario<GeminiHomeOptions>[] = [
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
      stream(run('seq 1 300')),
      stream(run('echo $(id)')),
      stream(say('One command failed.')),
    ],
  },
  {
    name: 'command-in-background',
    allowWrite: true,
    replies: [stream(run('sleep 5', { is_background: true })), stream(say('It is still running.'))],
  },
  {
    name: 'killed',
    allowWrite: true,
    replies: [stream(run('echo done')), stream(run('sleep 20', { is_background: true })), stream(say('Never heard.'))],
    killAfterTurns: 3,
  },
  { name: 'image', image: true, replies: [(request) => stream(readFile(imageIn(request))), stream(say('One pixel.'))] },
  { name: 'resumed', resuming: FIRST_SESSION, image: true, replies: [stream(say('I remember the morning.'))] },
  {
    name: 'read-only-refused',
    image: true,
    replies: [
      stream(writeFile('new.txt'), run('touch new.txt')),
      stream(writeFile('plan.md'), useTool('exit_plan_mode', { plan_filename: 'plan.md' })),
      stream(readFile('/etc/hostname'), readFile('gone.txt'), useTool('hologram', {})),
      stream(say('I could not write the file.')),
    ],
  },
  {
    name: 'file-change',
    allowWrite: true,
    image: true,
    replies: [
      stream(writeFile('new.txt')),
      (request) => stream(writeFile(`${imageIn(request)}.txt`), writeFile('../data/images/c/spoilt.txt')),
      stream(useTool('list_directory', { dir_path: '.' }), useTool('glob', { pattern: '*.txt' })),
      stream(say('The file is there.')),
    ],
  },
  {
    name: 'retried',
    home: { maxAttempts: 3 },
    replies: [
      api(429, 'RESOURCE_EXHAUSTED', 'Slow down.', detail('RetryInfo', { retryDelay: '0.2s' })),
      stream(say('The whole answer.')),
    ],
  },
  {
    name: 'broken-off-and-retried',
    home: { maxAttempts: 3 },
    replies: [stream(say('Half an ans'), drop()), stream(say('The whole answer.'))],
  },
  { name: 'turn-failed', replies: [api(400, 'INVALID_ARGUMENT', 'Unable to process input image.')] },
  {
    name: 'unauthorized',
    replies: [
      api(
        400,
        'INVALID_ARGUMENT',
        'API key not valid. Please pass a valid API key.',
        detail('ErrorInfo', { reason: 'API_KEY_INVALID', domain: 'googleapis.com' }),
      ),
    ],
  },
  { name: 'credentials-refused', replies: [api(401, 'UNAUTHENTICATED', 'Request had invalid credentials.')] },
  { name: 'not-signed-in', home: { selectedType: null, keyless: true }, replies: [] },
  { name: 'without-key', home: { keyless: true }, replies: [] },
  { name: 'without-account', home: { selectedType: 'oauth-personal', keyless: true }, replies: [] },
  {
    name: 'rate-limit',
    replies: [
      api(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota.',
        detail('QuotaFailure', { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] }),
        detail('RetryInfo', { retryDelay: '34.07s' }),
      ),
    ],
  },
  {
    name: 'rate-limit-bare',
    replies: [api(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).')],
  },
  {
    name: 'rate-limit-in-stream',
    replies: [stream(fail('RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'))],
  },
  {
    name: 'usage-limit-of-the-day',
    replies: [
      api(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.',
        detail('QuotaFailure', { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }),
      ),
    ],
  },
  {
    name: 'usage-limit',
    replies: [
      api(
        429,
        'RESOURCE_EXHAUSTED',
        'You have exhausted your capacity on this model. Your quota will reset after 13h14m3s.',
        detail('ErrorInfo', { reason: 'QUOTA_EXHAUSTED', domain: 'cloudcode-pa.googleapis.com' }),
      ),
    ],
  },
  {
    name: 'usage-limit-for-an-hour',
    replies: [
      api(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', detail('RetryInfo', { retryDelay: '3600s' })),
    ],
  },
  {
    name: 'context-overflow',
    replies: [
      api(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
    ],
  },
  {
    name: 'model-not-found',
    replies: [
      api(
        404,
        'NOT_FOUND',
        'models/loopback-1 is not found for API version v1beta, or is not supported for generateContent.',
      ),
    ],
  },
  { name: 'overloaded', replies: [api(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')] },
  { name: 'dropped', replies: repeat(stream(say('Half an ans'), drop())) },
  { name: 'unreachable', unreachable: true, replies: [] },
  { name: 'empty', replies: repeat(stream()) },
  { name: 'only-thoughts', replies: repeat(stream(think('Hm.'))) },
  { name: 'garbage-from-provider', replies: repeat(stream(garbage('data: {{{\n\n'), garbage('\u0001nonsense\n\n'))) },
  { name: 'unknown-session', resuming: '01900000-0000-4000-8000-000000000000', replies: [] },
  { name: 'yolo-forbidden', home: { disableYoloMode: true }, allowWrite: true, replies: [] },
];

await recordAll(
  {
    agent: 'gemini',
    program: realGemini,
    // Without a name it first asks another model which one should answer.
    scenarios: SCENARIOS.map((scenario) => ({ model: 'loopback-1', ...scenario })),
    makeHome: makeGeminiHome,
    sessionIn: (stdout) => /"session_id":"([^"]+)"/.exec(stdout)?.[1] ?? null,
  },
  process.argv.slice(2),
);
