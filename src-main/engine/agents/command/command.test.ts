import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../../../src-shared/attachments.ts';
import type { CommandDraft } from '../../../../src-shared/commandDefinition.ts';
import { attachmentId, conversationId, runId } from '../../../../src-shared/ids.ts';
import type { Invocation, SeatTurn } from '../agent.ts';
import { agentById } from '../index.ts';
import { described } from './samples.ts';

const command = agentById('command');
const SESSION = '11111111-2222-4333-8444-555555555555';
const MINTED = '99999999-8888-4777-8666-555555555555';
const DIRECTORY = '/data/attachments/conv';

const invocation = (fields: Partial<Invocation> = {}): Invocation => ({
  cwd: '/work/a project',
  prompt: '--help {cwd} $(id)',
  timeoutMs: 1_000,
  allowWrite: false,
  sessions: true,
  artifactsDir: '/data/artifacts/run',
  stem: 'chat-1',
  run: runId.parse('run-20260101-000000-00000000'),
  node: 'chat',
  attachments: [],
  ...fields,
});

function image(name: string): Attachment {
  return {
    id: attachmentId.parse('att-20260101-000000-00000000'),
    conversationId: conversationId.parse('conv-20260101-000000-00000000'),
    name,
    mime: 'image/png',
    bytes: 1,
    width: 1,
    height: 1,
    sha256: '0'.repeat(64),
    path: `${DIRECTORY}/${name}`,
  };
}

function build(fields: Partial<CommandDraft>, seat: Partial<SeatTurn> = {}, asked: Partial<Invocation> = {}) {
  const turn: SeatTurn = {
    access: 'read-only',
    model: null,
    sessionId: null,
    mintedSessionId: MINTED,
    images: [],
    definition: described(fields),
    ...seat,
  };
  const attachments = turn.images.map(({ path }) => path);
  return command.command(invocation({ attachments, ...asked }), turn, { program: '/bin/tool', args: [], env: {} });
}

describe('the message', () => {
  test('goes by standard input, and is nowhere else', () => {
    const { args, stdin } = build({ arguments: 'ask -C {cwd}' });
    expect({ args, stdin }).toEqual({ args: ['ask', '-C', '/work/a project'], stdin: 'prompt' });
  });

  test('goes as one argument, as it is', () => {
    const { args, stdin } = build({ prompt: 'argument', arguments: '-p {prompt}' });
    expect({ args, stdin }).toEqual({ args: ['-p', '--help {cwd} $(id)'], stdin: 'none' });
  });

  test('goes as the file that the run keeps', () => {
    const { args, stdin } = build({ prompt: 'file', arguments: '--file={prompt_file}' });
    expect({ args, stdin }).toEqual({ args: ['--file=/data/artifacts/run/chat-1.prompt.md'], stdin: 'none' });
  });
});

describe('sessions', () => {
  const resume = { kind: 'by-id', arguments: 'go-on {session}', source: 'minted' } as const;

  test('a first turn names the id that Parley made, a later one the session', () => {
    expect(build({ arguments: 'begin {session}', resume })).toMatchObject({ args: ['begin', MINTED], opens: MINTED });
    const later = build({ arguments: 'begin {session}', resume }, { sessionId: SESSION });
    expect(later.args).toEqual(['go-on', SESSION]);
    expect(later.opens).toBeUndefined();
  });

  test('a reported id is not made up', () => {
    const fields = { output: 'codex', arguments: 'begin', resume: { ...resume, source: 'reported' } } as const;
    expect(build(fields)).toMatchObject({ args: ['begin'] });
    expect(build(fields).opens).toBeUndefined();
    expect(build(fields, { sessionId: SESSION }).args).toEqual(['go-on', SESSION]);
  });

  test('without a way to continue them none is continued', () => {
    expect(build({ arguments: 'ask' }, { sessionId: SESSION }).args).toEqual(['ask']);
    expect(build({ arguments: 'begin {session}', resume }, { sessionId: SESSION }, { sessions: false }).args).toEqual([
      'begin',
      MINTED,
    ]);
  });
});

describe('images', () => {
  const images = [image('one.png'), image('two.png')];

  test('are handed over by the template, and their directory is a grant that it told', () => {
    const line = build({ arguments: '--add-dir {attachments_dir} -i {attachment}' }, { images });
    expect(line.args).toEqual(['--add-dir', DIRECTORY, '-i', images[0]?.path, '-i', images[1]?.path]);
    expect(line.routes).toEqual(['flag', 'flag']);
    expect(line.grants).toEqual([
      expect.objectContaining({ directory: DIRECTORY, right: 'read', expressedAs: 'template: {attachments_dir}' }),
    ]);
  });

  test('inside the working directory need no grant', () => {
    const line = build({ arguments: '-i {attachment}' }, { images }, { attachments: [] });
    expect(line.routes).toEqual(['flag', 'flag']);
    expect(line.grants).toEqual([]);
  });

  test('of earlier turns stay readable', () => {
    const line = build({ arguments: '--add-dir {attachments_dir}' }, {}, { attachments: [`${DIRECTORY}/old.png`] });
    expect(line.args).toEqual(['--add-dir', DIRECTORY]);
    expect(line.grants).toHaveLength(1);
  });

  test('are mentioned in the prompt where the template does not name them, and nothing is claimed to be widened', () => {
    expect(build({ arguments: 'ask' }, { images })).toMatchObject({ routes: ['mention', 'mention'], grants: [] });
  });

  test('are not handed over to a command that takes none', () => {
    expect(build({ arguments: 'ask', images: false }, { images })).toMatchObject({ routes: [], grants: [] });
    expect(command.capabilitiesOf?.(described({ images: false })).image).toBe('none');
    expect(command.capabilitiesOf?.(described({ arguments: '{attachment}' })).image).toBe('flag');
    expect(command.capabilitiesOf?.(described({})).image).toBe('mention');
  });
});

test('says that nothing stands around it', () => {
  expect(build({}).caveats).toEqual([expect.stringMatching(/no sandbox.*although this seat is read-only/)]);
  expect(build({}, {}, { allowWrite: true }).caveats).toEqual([expect.stringMatching(/no sandbox/)]);
  expect(command.capabilitiesOf?.(described({ output: 'codex' }))).toMatchObject({
    readOnly: 'none',
    resume: 'none',
    reportsCommands: true,
    reportsExitCodes: true,
  });
});

test('a description that does not fit together is refused before anything is started', () => {
  expect(command.faultOf?.(described({ arguments: 'ask' }))).toBeNull();
  expect(command.faultOf?.(described({ prompt: 'argument' }))).toEqual({
    kind: 'not-described',
    problem: expect.stringMatching(/\{prompt\}/),
  });
});
