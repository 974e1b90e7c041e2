import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentById } from '../../src-main/engine/agents/index.ts';
import { type CommandDefinition, commandDefinition } from '../../src-shared/commandDefinition.ts';
import { runId } from '../../src-shared/ids.ts';

/**
 * Records `src-main/engine/agents/command/transcripts`: the program there, described as an operator describes one, run
 * with the command line that the `command` agent builds. How to run it stands in the README beside the recordings.
 */

const OUT = join(process.cwd(), 'src-main', 'engine', 'agents', 'command', 'transcripts');
const PROGRAM = join(OUT, 'program.mjs');
const SESSION = '0f3c1f6e-5d0b-4c0e-9a53-2f7a5d1c8b42';
const MINTED: CommandDefinition['resume'] = {
  kind: 'by-id',
  arguments: `'${PROGRAM}' plain --resume {session}`,
  source: 'minted',
};
const REPORTED: CommandDefinition['resume'] = {
  kind: 'by-id',
  arguments: `'${PROGRAM}' events --resume {session}`,
  source: 'reported',
};

interface Scenario {
  readonly name: string;
  readonly way: string;
  readonly fields?: Partial<CommandDefinition>;
  readonly resuming?: string;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'plain', way: 'plain' },
  { name: 'by-argument', way: 'plain --message {prompt}', fields: { prompt: 'argument' } },
  { name: 'by-file', way: 'plain --file {prompt_file}', fields: { prompt: 'file' } },
  { name: 'minted', way: 'plain --session {session}', fields: { resume: MINTED } },
  { name: 'resumed', way: 'plain --session {session}', fields: { resume: MINTED }, resuming: SESSION },
  { name: 'coloured', way: 'coloured' },
  { name: 'shift-jis', way: 'shift-jis', fields: { encoding: 'shift_jis' } },
  { name: 'nothing', way: 'nothing' },
  { name: 'failed', way: 'failed' },
  { name: 'killed', way: 'killed' },
  { name: 'events', way: 'events', fields: { output: 'codex', resume: REPORTED } },
  { name: 'events-resumed', way: 'events', fields: { output: 'codex', resume: REPORTED }, resuming: SESSION },
  { name: 'events-without-end', way: 'events-without-end', fields: { output: 'codex' } },
];

function described(scenario: Scenario): CommandDefinition {
  return commandDefinition.parse({
    id: 'cmd_recording',
    name: 'Program',
    program: 'node',
    arguments: `'${PROGRAM}' ${scenario.way}`,
    prompt: 'stdin',
    environment: [],
    encoding: 'utf-8',
    resume: { kind: 'none' },
    output: 'text',
    images: true,
    timeoutMs: null,
    idleTimeoutMs: null,
    ...scenario.fields,
  });
}

async function record(root: string, scenario: Scenario): Promise<void> {
  const prompt = 'Good morning: {cwd} $HOME "and" more';
  writeFileSync(join(root, 'chat.prompt.md'), prompt);
  const definition = described(scenario);
  const resuming = scenario.resuming ?? null;
  const commandLine = agentById('command').command(
    {
      cwd: root,
      prompt,
      timeoutMs: 60_000,
      allowWrite: false,
      sessions: true,
      artifactsDir: root,
      stem: 'chat',
      run: runId.parse('run-20260101-000000-00000000'),
      node: 'chat',
      attachments: [],
    },
    { access: 'read-only', model: null, sessionId: resuming, mintedSessionId: SESSION, images: [], definition },
    { program: process.execPath, args: [], env: {} },
  );
  const child = spawn(commandLine.program, commandLine.args, { cwd: root });
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => output.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk));
  child.stdin.end(commandLine.stdin === 'prompt' ? prompt : '');
  // A program that reads none of it may be gone before it is written.
  child.stdin.on('error', () => {});
  const [code, signal] = await once(child, 'close');
  const neutral = (text: string) => text.replaceAll(OUT, '/programs').replaceAll(root, '/work-tree');
  const ending = definition.output === 'text' ? 'txt' : 'jsonl';
  writeFileSync(join(OUT, `${scenario.name}.stdout.${ending}`), Buffer.concat(output.stdout));
  const end = {
    args: commandLine.args.map(neutral),
    resuming,
    exit: { code, signal },
    stderr: Buffer.concat(output.stderr).toString('utf8'),
    definition: JSON.parse(neutral(JSON.stringify(definition))),
  };
  writeFileSync(join(OUT, `${scenario.name}.end.json`), `${JSON.stringify(end, null, 2)}\n`);
  console.log(`${scenario.name}: exit ${code ?? signal}`);
}

mkdirSync(OUT, { recursive: true });
const root = mkdtempSync(join(tmpdir(), 'parley-record-'));
for (const scenario of SCENARIOS) await record(root, scenario);
rmSync(root, { recursive: true });
