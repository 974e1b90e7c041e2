import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say, startLoopbackModel, stream, useTool } from '../e2e/loopback-model/index.ts';
import { createEngine } from '../src-main/engine/engine.ts';
import { alternate, report } from './measure.ts';

const ROUNDS = 15;
const BUDGET = 1.05;
const PROMPT = 'Look around and say what you see.';

/** The directory that holds the real CLI, as `npm test` installs it. */
const CLIENTS = join(import.meta.dirname, '..', '..', 'e2e', 'clients', 'node_modules', '.bin');

/** Wall time of a turn of the real Codex through Parley against the same command line run bare, output to a file. */
export async function benchTurn(work: string): Promise<void> {
  const model = await startLoopbackModel();
  const codexHome = join(work, 'codex-home');
  const cwd = join(work, 'cwd');
  await mkdir(codexHome, { recursive: true });
  await mkdir(cwd, { recursive: true });
  await writeFile(
    join(codexHome, 'config.toml'),
    [
      'model_provider = "loopback"',
      'model = "loopback-model"',
      '[model_providers.loopback]',
      'name = "loopback"',
      `base_url = "${model.url}/v1"`,
      'env_key = "LOOPBACK_KEY"',
      'wire_api = "responses"',
      '',
    ].join('\n'),
  );
  // Codex starts a login shell beside each turn. What the operator's start files do there is not what is measured.
  const env = {
    ...process.env,
    HOME: work,
    PATH: `${CLIENTS}:${process.env.PATH}`,
    CODEX_HOME: codexHome,
    LOOPBACK_KEY: 'x',
  };
  model.otherwise((request) =>
    JSON.stringify(request.body).includes('function_call_output')
      ? stream(say('I see', ' the directory.'))
      : stream(useTool('exec_command', { cmd: 'ls' })),
  );
  const engine = await createEngine({
    dataDirectory: join(work, 'data'),
    version: 'bench',
    origin: 'api',
    scriptsDirectory: work,
    env,
    askLoginShell: false,
    preferences: () => ({ executables: {}, environments: {}, commands: [] }),
    secret: () => null,
  });
  let commandLine: readonly string[] = [];
  engine.on((event) => {
    if (event.name !== 'seatEvents') return;
    for (const seatEvent of event.payload.events) if (seatEvent.type === 'started') commandLine = seatEvent.commandLine;
  });
  const through = async () => {
    const created = await engine.call('createConversation', { cwd, kind: 'chat', seats: [{ agent: 'codex' }] });
    if (!created.ok) throw new Error(created.error.message);
    const conversationId = created.value.conversation.id;
    const start = performance.now();
    await engine.call('sendMessage', { conversationId, text: PROMPT, attachmentIds: [] });
    await engine.idle(conversationId);
    const elapsed = performance.now() - start;
    const snapshot = await engine.call('openConversation', { conversationId });
    const outcome = snapshot.ok ? snapshot.value.turns[0]?.invocations[0]?.outcome : null;
    if (outcome?.kind !== 'completed') throw new Error(`the turn did not complete: ${JSON.stringify(outcome)}`);
    return elapsed;
  };
  // Once before, so that the bare side can be given the very command line that Parley uses.
  await through();
  const promptPath = join(work, 'prompt.txt');
  await writeFile(promptPath, PROMPT);
  const bare = async () => {
    const [program = '', ...args] = commandLine;
    const start = performance.now();
    const stdin = await open(promptPath, 'r');
    const stdout = await open(join(work, 'bare.log'), 'w');
    const child = spawn(program, args, { cwd, env, stdio: [stdin.fd, stdout.fd, 'ignore'] });
    const [code] = await once(child, 'exit');
    const elapsed = performance.now() - start;
    await Promise.all([stdin.close(), stdout.close()]);
    if (code !== 0) throw new Error(`codex exited with ${code}`);
    return elapsed;
  };
  try {
    const sides = await alternate(ROUNDS, through, bare);
    console.log(report({ name: 'wall time of a Codex turn', ...sides, budget: BUDGET }));
  } finally {
    await engine.close();
    await model.close();
  }
}
