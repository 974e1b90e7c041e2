import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CommandDefinition, type CommandDraft, commandDefinition } from '../../src-shared/commandDefinition.ts';
import { answerOf } from '../../src-shared/fold.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { bin, commands, cwd, ended, engines, home, ok, open, png, send, trial } from './engine.harness.ts';

/** A program of the operator's: it writes down what it was given, and prints what the test says. */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const stdin = readFileSync(0, 'utf8');
const file = process.argv.find((word) => word.endsWith('.prompt.md'))?.replace('--file=', '');
const given = { args: process.argv.slice(2), stdin, file: file ? readFileSync(file, 'utf8') : null, cwd: process.cwd(), colour: process.env.COLOUR ?? null };
appendFileSync(join(__dirname, 'given'), JSON.stringify(given) + '\\n');
const says = join(__dirname, 'says.js');
if (existsSync(says)) require(says)(given); else process.stdout.write('heard\\n');
`;

const given = z.object({
  args: z.array(z.string()),
  stdin: z.string(),
  file: z.string().nullable(),
  cwd: z.string(),
  colour: z.string().nullable(),
});

const directory = () => join(home, 'own programs');

async function define(fields: Partial<CommandDraft>): Promise<CommandDefinition> {
  await mkdir(directory(), { recursive: true });
  const program = join(directory(), 'program');
  await writeFile(program, PROGRAM);
  await chmod(program, 0o755);
  const definition = commandDefinition.parse({
    id: 'cmd_sample',
    name: 'My program',
    program,
    arguments: '',
    prompt: 'stdin',
    environment: [],
    encoding: 'utf-8',
    resume: { kind: 'none' },
    output: 'text',
    images: true,
    timeoutMs: null,
    idleTimeoutMs: null,
    ...fields,
  });
  commands.splice(0, commands.length, definition);
  return definition;
}

const says = (body: string) => writeFile(join(directory(), 'says.js'), `module.exports = (given) => { ${body} };`);

async function turns() {
  const text = await readFile(join(directory(), 'given'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => given.parse(JSON.parse(line)));
}

async function conversationOf(definition: CommandDefinition, seat: { model?: string } = {}): Promise<ConversationId> {
  const seats = [{ agent: 'command' as const, definitionId: definition.id, ...seat }];
  return (await ok('createConversation', { cwd, kind: 'chat', seats })).conversation.id;
}

async function attach(conversationId: ConversationId, name: string, shade: number) {
  const input = { conversationId, name, declaredType: 'image/png', bytes: png(shade) };
  return (await ok('addAttachment', input)).attachment;
}

/** Looks like options, shell, a template, and words. */
const HOSTILE = `--help -rf {cwd} {prompt} {attachment} "two 'words" $(touch never) \`id\`; exit 1 #\n\tend\\`;

describe('a command', () => {
  it('takes a seat under its own name, with its own limits, and answers with what it prints', async () => {
    const definition = await define({
      arguments: 'ask -C {cwd} -m {model}',
      environment: [{ name: 'COLOUR', value: 'a {cwd} b' }],
      timeoutMs: 90_000,
    });
    await says(`process.stdout.write('# Heard\\n\\n' + given.stdin.length + ' ü\\n')`);
    const id = await conversationOf(definition);
    const { outcome, invocation } = await ended(id, await send(id, HOSTILE));
    expect(outcome).toEqual({ kind: 'completed' });
    expect(answerOf(invocation)).toBe(`# Heard\n\n${HOSTILE.length} ü\n`);
    const { seats } = await ok('openConversation', { conversationId: id });
    expect(seats[0]).toMatchObject({ name: 'My program', timeoutMs: 90_000, sessionId: null });
    expect(await turns()).toEqual([{ args: ['ask', '-C', cwd], stdin: HOSTILE, file: null, cwd, colour: 'a {cwd} b' }]);
    expect(invocation.started).toMatchObject({
      commandLine: [definition.program, 'ask', '-C', cwd],
      caveats: [expect.stringMatching(/no sandbox/)],
      freshBecause: 'first-turn',
    });
  });

  it('is told of the model of its seat', async () => {
    const definition = await define({ arguments: '-m {model}' });
    const id = await conversationOf(definition, { model: 'big one' });
    await ended(id, await send(id, 'hello'));
    expect((await turns())[0]?.args).toEqual(['-m', 'big one']);
  });

  it('gets a message as an argument as it is, and one that is too long is refused before the start', async () => {
    const definition = await define({ prompt: 'argument', arguments: '-p {prompt} "{cwd} {prompt}"' });
    const id = await conversationOf(definition);
    await ended(id, await send(id, HOSTILE));
    expect(await turns()).toEqual([
      { args: ['-p', HOSTILE, `${cwd} ${HOSTILE}`], stdin: '', file: null, cwd, colour: null },
    ]);
    const { outcome, invocation } = await ended(id, await send(id, 'ü'.repeat(64 * 1024)));
    expect(outcome).toMatchObject({ kind: 'failed', cause: { kind: 'argument-too-long', limitBytes: 128 * 1024 } });
    expect(invocation.started?.commandLine).toEqual([]);
    expect(await turns()).toHaveLength(1);
  });

  it('takes the longest message that the system lets an argument hold', async () => {
    const definition = await define({ prompt: 'argument', arguments: '{prompt}' });
    const id = await conversationOf(definition);
    const { outcome } = await ended(id, await send(id, 'x'.repeat(128 * 1024 - 1)));
    expect(outcome).toEqual({ kind: 'completed' });
  });

  it('gets a message of any length as a file', async () => {
    const definition = await define({ prompt: 'file', arguments: '--file={prompt_file}' });
    const long = `${HOSTILE}${'x'.repeat(400_000)}`;
    const id = await conversationOf(definition);
    const { outcome } = await ended(id, await send(id, long));
    expect(outcome).toEqual({ kind: 'completed' });
    expect((await turns())[0]).toMatchObject({ stdin: '', file: long });
  });

  it('gets each image of a message, and the grant that its template told', async () => {
    const definition = await define({ arguments: '--read {attachments_dir} --image={attachment} -i {attachment} end' });
    const id = await conversationOf(definition);
    const first = await attach(id, 'one.png', 1);
    const second = await attach(id, 'two.png', 2);
    const { invocation } = await ended(id, await send(id, 'look', [first.id, second.id]));
    await ended(id, await send(id, 'and without'));
    const directoryOfImages = join(home, 'data', 'attachments', id);
    const [with2, without] = await turns();
    expect(with2?.args).toEqual([
      ...['--read', directoryOfImages],
      ...[`--image=${first.path}`, `--image=${second.path}`],
      ...['-i', first.path, '-i', second.path, 'end'],
    ]);
    // What was sent before stays readable.
    expect(without?.args).toEqual(['--read', directoryOfImages, 'end']);
    expect(with2?.stdin).toContain(first.path);
    expect(invocation.started?.deliveries.map(({ route, verified }) => [route, verified])).toEqual([
      ['flag', true],
      ['flag', true],
    ]);
    expect(invocation.started?.grants).toMatchObject([
      { directory: directoryOfImages, right: 'read', expressedAs: 'template: {attachments_dir}' },
    ]);
  });

  it('that takes no images is handed none', async () => {
    const definition = await define({ arguments: 'ask', images: false });
    const id = await conversationOf(definition);
    const { invocation } = await ended(id, await send(id, 'look', [(await attach(id, 'one.png', 1)).id]));
    expect(invocation.started?.deliveries).toEqual([]);
  });

  it('is read in the encoding that it prints', async () => {
    const definition = await define({ encoding: 'shift_jis' });
    await says(
      `process.stdout.write(Buffer.from('93fa967b8cea', 'hex')); process.stderr.write(Buffer.from('82b5', 'hex')); process.exitCode = 4`,
    );
    const id = await conversationOf(definition);
    const { outcome, invocation } = await ended(id, await send(id, 'speak'));
    expect(answerOf(invocation)).toBe('日本語');
    expect(outcome).toMatchObject({ kind: 'failed', cause: { kind: 'exit', code: 4 }, stderrTail: 'し' });
  });

  it('that prints nothing has not answered', async () => {
    const definition = await define({});
    await says('');
    const id = await conversationOf(definition);
    expect((await ended(id, await send(id, 'speak'))).outcome).toMatchObject({ cause: { kind: 'no-answer' } });
  });

  it('is ended at its own limit without output, and keeps what it had said', async () => {
    const definition = await define({ idleTimeoutMs: 1_000 });
    await says(`process.stdout.write('I begin'); setInterval(() => {}, 1000)`);
    const id = await conversationOf(definition);
    const { outcome, invocation } = await ended(id, await send(id, 'work'));
    expect(outcome).toMatchObject({ kind: 'timed-out', clock: 'idle', limitMs: 1_000 });
    expect(answerOf(invocation)).toBe('I begin');
  });
});

describe('its sessions', () => {
  const resume = { kind: 'by-id', arguments: 'go-on --id={session}', source: 'minted' } as const;

  it('have the id that Parley made, once it has answered', async () => {
    const definition = await define({ arguments: 'begin --id={session}', resume });
    await says(`if (given.stdin !== 'quiet') process.stdout.write('ok')`);
    const id = await conversationOf(definition);
    // A turn without an answer may have opened nothing.
    await ended(id, await send(id, 'quiet'));
    const first = await ended(id, await send(id, 'first'));
    const second = await ended(id, await send(id, 'second'));
    const [quiet, begun, gone] = (await turns()).map(({ args }) => args);
    const session = first.invocation.session?.sessionId;
    expect(first.invocation.session?.how).toBe('fresh');
    expect(quiet?.[0]).toBe('begin');
    expect(quiet).not.toEqual(begun);
    expect(begun).toEqual(['begin', `--id=${session}`]);
    expect(gone).toEqual(['go-on', `--id=${session}`]);
    expect(second.invocation.started?.resuming).toBe(session);
    // It did not say that it went on, so nobody else does.
    expect(second.invocation.session).toBeNull();
  });

  it('are known after Parley was started anew', async () => {
    const definition = await define({ arguments: 'begin {session}', resume: { ...resume, arguments: '{session}' } });
    const id = await conversationOf(definition);
    await ended(id, await send(id, 'first'));
    await Promise.all(engines.splice(0).map((opened) => opened.close()));
    await open();
    await ended(id, await send(id, 'second'));
    const [first, second] = await turns();
    expect(second?.args).toEqual([first?.args[1]]);
  });

  it('are those that its event stream reports, with evidence of that format', async () => {
    const definition = await define({
      output: 'codex',
      arguments: 'begin',
      resume: { kind: 'by-id', arguments: 'go-on {session}', source: 'reported' },
    });
    await says(`
      const line = (event) => console.log(JSON.stringify(event));
      line({ type: 'thread.started', thread_id: 'session-7' });
      const item = { id: 'c', type: 'command_execution', command: 'make', aggregated_output: 'no', exit_code: 2, status: 'failed' };
      line({ type: 'item.completed', item });
      line({ type: 'item.completed', item: { id: 'm', type: 'agent_message', text: 'done' } });
      line({ type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } });`);
    const id = await conversationOf(definition);
    await ended(id, await send(id, 'first'));
    const { invocation } = await ended(id, await send(id, 'second'));
    expect((await turns())[1]?.args).toEqual(['go-on', 'session-7']);
    expect(invocation.session).toEqual({ sessionId: 'session-7', how: 'resumed' });
    const { rows } = await ok('listEvidence', { conversationId: id, invocationId: invocation.invocationId });
    expect(rows).toMatchObject([{ description: 'make', exitCode: 2, source: 'codex' }]);
  });

  it('are none where none are described, and the receipt says why each turn is fresh', async () => {
    const definition = await define({ output: 'codex' });
    await says(`console.log(JSON.stringify({ type: 'thread.started', thread_id: 'session-7' }))`);
    const id = await conversationOf(definition);
    await ended(id, await send(id, 'first'));
    const { invocation } = await ended(id, await send(id, 'second'));
    expect(invocation.session).toBeNull();
    expect(invocation.started).toMatchObject({ resuming: null, freshBecause: 'no-sessions' });
  });
});

describe('a description', () => {
  it('that is gone is said, and so is one that does not fit together', async () => {
    const definition = await define({});
    const id = await conversationOf(definition);
    commands.length = 0;
    const gone = await ended(id, await send(id, 'hello'));
    expect(gone.outcome).toMatchObject({ kind: 'failed', cause: { kind: 'not-described', problem: null } });
    commands.push({ ...definition, arguments: '{prompt}' });
    const unfit = await ended(id, await send(id, 'hello'));
    expect(unfit.outcome).toMatchObject({
      cause: { kind: 'not-described', problem: expect.stringMatching(/\{prompt\}/) },
    });
  });

  it('whose program is not there is said with what was searched', async () => {
    const definition = await define({ program: 'no-such-program-anywhere' });
    const id = await conversationOf(definition);
    const { outcome } = await ended(id, await send(id, 'hello'));
    expect(outcome).toMatchObject({ cause: { kind: 'not-installed', searched: expect.arrayContaining([bin]) } });
  });

  it('is checked while it is written, with the program found on the search path', async () => {
    await writeFile(join(bin, 'on-the-path'), '#!/bin/sh\n');
    await chmod(join(bin, 'on-the-path'), 0o755);
    const definition = await define({});
    const check = async (fields: Partial<CommandDraft>) =>
      ok('checkCommand', { definition: { ...definition, ...fields } });
    expect(await check({ program: 'on-the-path' })).toMatchObject({ problems: [], program: join(bin, 'on-the-path') });
    expect(await check({ program: '../bin/on-the-path' })).toMatchObject({
      program: null,
      problems: [{ field: 'program' }],
    });
    expect(await check({ name: 'Guide' })).toMatchObject({ problems: [{ field: 'name', level: 'problem' }] });
    expect(await check({ name: '', arguments: '"' })).toMatchObject({
      problems: [{ field: 'name' }, { field: 'arguments' }],
    });
  });

  it('is tried with one real turn', async () => {
    const definition = await define({});
    await says(`process.stdout.write('ready')`);
    const { invocation, conversationId } = await trial({ agent: 'command', definitionId: definition.id });
    expect(invocation.outcome).toEqual({ kind: 'completed' });
    expect(answerOf(invocation)).toBe('ready');
    expect((await ok('openConversation', { conversationId })).conversation.title).toBe('Trial of My program');
  });
});
