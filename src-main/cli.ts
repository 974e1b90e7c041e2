import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import type { CallInput, CallOutput, EngineCallName, EngineEvent } from '../src-shared/api.ts';
import { describeRefusal } from '../src-shared/attachments.ts';
import { errorText, ParleyError } from '../src-shared/failure.ts';
import { answerOf, type InvocationState } from '../src-shared/fold.ts';
import {
  type AttachmentId,
  type ConversationId,
  conversationId as conversationIdSchema,
  runId,
} from '../src-shared/ids.ts';
import { MAX_ATTACHMENT_BYTES } from '../src-shared/limits.ts';
import { describeOutcome } from '../src-shared/outcome.ts';
import { type Preferences, preferences } from '../src-shared/preferences.ts';
import {
  type Commands,
  HELP,
  options,
  parseArgument,
  subjectOf,
  timeoutOf,
  usageError,
  type Values,
} from './cli/arguments.ts';
import { describeSeats } from './cli/doctor.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { dataDirectory } from './engine/storage/index.ts';

const OK = 0;
const NOT_COMPLETED = 1;
const NOT_BEGUN = 2;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Calls the engine as the window does, and turns a failure into an exception. */
async function call<Name extends EngineCallName>(
  engine: Engine,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const result = await engine.call(name, input);
  if (!result.ok) throw new ParleyError(result.error.code, result.error.message, result.error.hint);
  return result.value;
}

async function readPreferences(directory: string) {
  // The window writes this file; that it is not there, or was spoilt, only means that nothing was chosen.
  const text = await readFile(join(directory, 'settings.json'), 'utf8').catch(() => '{}');
  try {
    return preferences.parse(JSON.parse(text));
  } catch {
    process.stderr.write(`parley: ${join(directory, 'settings.json')} cannot be read; going on with the defaults\n`);
    return preferences.parse({});
  }
}

async function attach(engine: Engine, conversationId: ConversationId, path: string) {
  const name = basename(path);
  const refuse = (why: Parameters<typeof describeRefusal>[1]) => {
    const { sentence, hint } = describeRefusal(name, why);
    return new ParleyError('attachment-refused', sentence, hint);
  };
  const stats = await stat(path).catch(() => {
    throw refuse({ reason: 'vanished' });
  });
  if (stats.isDirectory()) throw refuse({ reason: 'unsupported', what: 'a folder' });
  if (stats.size > MAX_ATTACHMENT_BYTES) throw refuse({ reason: 'too-large', bytes: stats.size });
  const bytes = await readFile(path).catch((error: unknown) => {
    throw refuse({ reason: 'unreadable', detail: errorText(error) });
  });
  const { attachment } = await call(engine, 'addAttachment', { conversationId, name, declaredType: '', bytes });
  return attachment.id;
}

async function readText(given: string | undefined): Promise<string> {
  if (given === undefined) throw usageError('There is no message.');
  if (given !== '-') return given;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function openForRun(engine: Engine, values: Values, commands: Commands) {
  const timeoutMs = timeoutOf(values);
  if (values.conversation !== undefined) {
    if (values.agent !== undefined || values.cwd !== undefined) {
      throw usageError('A conversation that exists keeps its agent and its directory: leave out --agent and --cwd.');
    }
    const snapshot = await call(engine, 'openConversation', {
      conversationId: parseArgument(conversationIdSchema, values.conversation, 'the id of a conversation'),
    });
    for (const seat of snapshot.seats) {
      await call(engine, 'updateSeat', {
        seatId: seat.id,
        ...(values.write === undefined ? {} : { access: 'can-write' }),
        ...(values.model === undefined ? {} : { model: values.model }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      if (values.fresh === true || values.replay === true) {
        await call(engine, 'startFreshSession', { seatId: seat.id, replay: values.replay === true });
      }
    }
    return snapshot;
  }
  if (values.fresh === true || values.replay === true) {
    throw usageError('A new conversation has no session yet: leave out --fresh and --replay.');
  }
  if (values.agent === undefined)
    throw usageError('Name an agent with --agent, or a conversation with --conversation.');
  return call(engine, 'createConversation', {
    cwd: resolve(values.cwd ?? '.'),
    kind: 'chat',
    seats: [
      {
        ...subjectOf(values.agent, commands),
        model: values.model ?? null,
        access: values.write === true ? 'can-write' : 'read-only',
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    ],
  });
}

/** The answer on stdout; why there is none, or no whole one, on stderr. */
function printInvocation(invocation: InvocationState, name: string): void {
  const answer = answerOf(invocation);
  if (answer !== null) print(answer);
  const { outcome } = invocation;
  if (outcome === null || outcome.kind === 'completed') return;
  const { sentence, hint } = describeOutcome(outcome, name);
  const tail = outcome.kind === 'failed' ? outcome.stderrTail : '';
  process.stderr.write(`parley: ${sentence} ${hint}\n${tail === '' ? '' : `${tail}\n`}`);
}

async function run(engine: Engine, values: Values, given: string | undefined, commands: Commands): Promise<number> {
  const text = await readText(given);
  const { conversation } = await openForRun(engine, values, commands);
  const conversationId = conversation.id;
  const attachmentIds: AttachmentId[] = [];
  for (const path of values.attach ?? []) attachmentIds.push(await attach(engine, conversationId, path));
  const off = engine.on((event: EngineEvent) => {
    if (event.name === 'seatEvents' && event.payload.conversationId === conversationId && values.json === true) {
      for (const seatEvent of event.payload.events) print(JSON.stringify(seatEvent));
    }
    if (event.name === 'notice') process.stderr.write(`parley: ${event.payload.text}\n`);
  });
  try {
    const { turn } = await stoppable(engine, conversationId, async () => {
      const sent = await call(engine, 'sendMessage', { conversationId, text, attachmentIds });
      return call(engine, 'awaitTurn', { turnId: sent.turn.id });
    });
    if (values.json !== true) {
      const { seats } = await call(engine, 'openConversation', { conversationId });
      for (const invocation of turn.invocations) {
        const seat = seats.find((candidate) => candidate.id === invocation.started?.seatId);
        printInvocation(invocation, seat?.name ?? 'The agent');
      }
      process.stderr.write(`parley: conversation ${conversationId}, run ${turn.run}\n`);
    }
    const completed = turn.invocations.filter(({ outcome }) => outcome?.kind === 'completed');
    return completed.length > 0 && completed.length === turn.invocations.length ? OK : NOT_COMPLETED;
  } finally {
    off();
  }
}

/** Ctrl-C, or being asked to end, stops what runs in the conversation; what came of it is still told. */
async function stoppable<Value>(
  engine: Engine,
  conversationId: ConversationId,
  work: () => Promise<Value>,
): Promise<Value> {
  const stop = () => void engine.call('stopTurn', { conversationId });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

async function show(engine: Engine, values: Values, id: string | undefined): Promise<number> {
  if (id === undefined) throw usageError('Name a conversation: parley show ID.');
  const snapshot = await call(engine, 'openConversation', {
    conversationId: parseArgument(conversationIdSchema, id, 'the id of a conversation'),
  });
  let { turns, earlierTurns } = snapshot;
  while (earlierTurns > 0) {
    const beforePosition = turns[0]?.position ?? 0;
    const page = await call(engine, 'listTurns', { conversationId: snapshot.conversation.id, beforePosition });
    turns = [...page.turns, ...turns];
    earlierTurns = page.earlierTurns;
  }
  if (values.json === true) {
    print(JSON.stringify({ ...snapshot, turns, earlierTurns }));
    return OK;
  }
  print(`${snapshot.conversation.title}\n${snapshot.conversation.cwd}`);
  for (const turn of turns) {
    print(`\n## Operator (${turn.state}, ${turn.run})\n${turn.text}`);
    for (const { name, path, mime } of turn.attachments) print(`- ${name}: ${path} (${mime})`);
    for (const invocation of turn.invocations) {
      const name = snapshot.seats.find((seat) => seat.id === invocation.started?.seatId)?.name ?? 'Seat';
      print(`\n## ${name}\n${answerOf(invocation) ?? ''}`);
      if (invocation.outcome !== null) print(`(${describeOutcome(invocation.outcome, name).sentence})`);
    }
  }
  return OK;
}

async function listArtifacts(engine: Engine, values: Values, run: string | undefined): Promise<number> {
  if (run === undefined) throw usageError('Name a run: parley artifacts RUN.');
  const { artifacts } = await call(engine, 'listArtifacts', { run: parseArgument(runId, run, 'the id of a run') });
  if (artifacts.length === 0) throw new ParleyError('no-run', `There are no artifacts of a run ${run}.`);
  const rows = artifacts.map((artifact) => ({ ...artifact, path: engine.artifactFile(artifact.run, artifact.name) }));
  if (values.json === true) print(JSON.stringify(rows));
  else for (const { kind, bytes, path } of rows) print(`${kind.padEnd(7)} ${String(bytes).padStart(12)}  ${path}`);
  return OK;
}

async function listSeats(engine: Engine, values: Values, chosen: Preferences): Promise<number> {
  const listed = await call(engine, 'listAgents', { refresh: true });
  if (values.json === true) print(JSON.stringify(listed));
  else print(describeSeats(listed, chosen));
  return OK;
}

async function trySeat(engine: Engine, values: Values, name: string | undefined, commands: Commands): Promise<number> {
  if (name === undefined) throw usageError('Name an agent: parley seats try AGENT.');
  const { conversationId, turnId } = await call(engine, 'startTrial', subjectOf(name, commands));
  const { turn } = await stoppable(engine, conversationId, () => call(engine, 'awaitTurn', { turnId }));
  const [invocation] = turn.invocations;
  if (values.json === true) print(JSON.stringify({ conversationId, invocation: invocation ?? null }));
  else if (invocation !== undefined) printInvocation(invocation, name);
  process.stderr.write(`parley: conversation ${conversationId}\n`);
  return invocation?.outcome?.kind === 'completed' ? OK : NOT_COMPLETED;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  const isTrial = positionals[0] === 'seats' && positionals[1] === 'try';
  const [command, argument, ...rest] = isTrial ? ['seats try', ...positionals.slice(2)] : positionals;
  if (values.version === true) {
    print(packageJson.version);
    return OK;
  }
  if (values.help === true || command === undefined) {
    print(HELP.trimEnd());
    return values.help === true ? OK : NOT_BEGUN;
  }
  if (rest.length > 0) throw usageError('There is more than one argument; put the message in quotes.');
  const directory = dataDirectory(process.env, process.platform, homedir());
  const chosen = await readPreferences(directory);
  const engine = await createEngine({
    dataDirectory: directory,
    version: packageJson.version,
    origin: 'cli',
    scriptsDirectory: dirname(fileURLToPath(import.meta.url)),
    env: process.env,
    // A shell has started this: its PATH is the operator's.
    askLoginShell: false,
    preferences: () => chosen,
    // Secrets are the keychain's, and only the window can ask it.
    secret: () => null,
  });
  try {
    switch (command) {
      case 'run':
        return await run(engine, values, argument, chosen.commands);
      case 'show':
        return await show(engine, values, argument);
      case 'artifacts':
        return await listArtifacts(engine, values, argument);
      case 'seats':
        if (argument !== undefined) throw usageError(`There is no “seats ${argument}”.`);
        return await listSeats(engine, values, chosen);
      case 'seats try':
        return await trySeat(engine, values, argument, chosen.commands);
      default:
        throw usageError(`There is no command “${command}”.`);
    }
  } finally {
    await engine.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const hint = error instanceof ParleyError && error.hint !== '' ? ` ${error.hint}` : '';
  process.stderr.write(`parley: ${errorText(error)}${hint}\n`);
  process.exitCode = NOT_BEGUN;
}
