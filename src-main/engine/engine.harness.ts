import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach } from 'vitest';
import type { CallInput, CallOutput, EngineCallName, EngineEvent } from '../../src-shared/api.ts';
import type { CommandDefinition } from '../../src-shared/commandDefinition.ts';
import type { Turn } from '../../src-shared/conversations.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { createEngine, type Engine } from './engine.ts';

/**
 * For tests: an engine on a data directory of its own, and a stand-in for the executable `codex` that prints what the test
 * says. Importing this sets both up for every test of the file.
 */

export let home: string;
export let bin: string;
export let cwd: string;
export let engine: Engine;
export const events: EngineEvent[] = [];
/** The commands that the operator has described. */
export const commands: CommandDefinition[] = [];
/** Every engine of the test, closed at its end. */
export const engines: Engine[] = [];

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'parley-engine-')));
  bin = join(home, 'bin');
  cwd = join(home, 'work');
  await mkdir(bin);
  await mkdir(cwd);
  events.length = 0;
  commands.length = 0;
  await open();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((opened) => opened.close()));
  await rm(home, { recursive: true });
});

/** Opens one more engine on the same data directory and makes it the one that is called. */
export async function open(): Promise<Engine> {
  const opened = await createEngine({
    dataDirectory: join(home, 'data'),
    version: '0.0.0',
    origin: 'api',
    scriptsDirectory: bin,
    env: { ...process.env, PATH: `${bin}:/usr/bin:/bin`, HOME: home },
    askLoginShell: false,
    preferences: () => ({ executables: {}, environments: {}, commands }),
    secret: () => null,
  });
  opened.on((event) => events.push(event));
  engines.push(opened);
  engine = opened;
  return opened;
}

export async function ok<Name extends EngineCallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const result = await engine.call(name, input);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export async function failure(name: EngineCallName, input: unknown) {
  const result = await engine.call(name, input);
  if (result.ok) throw new Error(`${name} was not refused`);
  return result.error;
}

/** A stand-in for the executable only: what it prints is what the test says. `$ARGS_FILE` gets its arguments. */
export async function codex(body: string) {
  const path = join(bin, 'codex');
  await writeFile(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" >> '${join(home, 'args')}'\necho -- >> '${join(home, 'args')}'\n${body}\n`,
  );
  await chmod(path, 0o755);
}
export const line = (event: unknown) => `printf '%s\\n' '${JSON.stringify(event)}'`;
export const thread = line({ type: 'thread.started', thread_id: '01999999-aaaa-7bbb-8ccc-0123456789ab' });
export const message = (text: string) =>
  line({ type: 'item.completed', item: { id: `m-${text}`, type: 'agent_message', text } });
export const done = line({
  type: 'turn.completed',
  usage: { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 },
});
export const answer = (text: string) => [thread, message(text), done].join('\n');

/** Resolves with the first event that `match` picks, also one that has already come. */
export function seen<Value>(match: (event: EngineEvent) => Value | null | undefined | false): Promise<Value> {
  return new Promise((resolve) => {
    const look = (event: EngineEvent) => {
      const value = match(event);
      if (value === null || value === undefined || value === false) return false;
      resolve(value);
      return true;
    };
    if (events.some(look)) return;
    const off = engine.on((event) => {
      if (look(event)) off();
    });
  });
}
export const seatEvents = () => events.flatMap((event) => (event.name === 'seatEvents' ? event.payload.events : []));
export const saw = (text: string) =>
  seen(
    (event) => event.name === 'seatEvents' && event.payload.events.some((e) => e.type === 'text' && e.text === text),
  );

export async function conversation(timeoutMs?: number) {
  const seat = { agent: 'codex' as const, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return (await ok('createConversation', { cwd, kind: 'chat', seats: [seat] })).conversation.id;
}
export async function send(
  conversationId: ConversationId,
  text: string,
  attachmentIds: Turn['attachments'][number]['id'][] = [],
) {
  return (await ok('sendMessage', { conversationId, text, attachmentIds })).turn;
}
export async function ended(conversationId: ConversationId, turn: Turn) {
  await engine.idle(conversationId);
  const { turns } = await ok('openConversation', { conversationId });
  const found = turns.find((candidate) => candidate.id === turn.id);
  const invocation = found?.invocations[0];
  if (found === undefined || invocation === undefined) throw new Error('the turn has no invocation');
  return { turn: found, invocation, outcome: invocation.outcome };
}
export function png(shade = 0): Uint8Array {
  const image = new PNG({ width: 2, height: 3 });
  image.data.fill(shade);
  return new Uint8Array(PNG.sync.write(image));
}
export const args = async () =>
  (await readFile(join(home, 'args'), 'utf8')).split('--\n').map((run) => run.trim().split('\n'));

/** Begins a trial and waits for its end. */
export async function trial(subject: CallInput<'startTrial'>) {
  const { conversationId, turnId } = await ok('startTrial', subject);
  const [invocation] = (await ok('awaitTurn', { turnId })).turn.invocations;
  if (invocation === undefined) throw new Error('the trial has no invocation');
  return { conversationId, invocation };
}
