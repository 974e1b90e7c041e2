import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createGate, type RecordedRequest, say, stream, useTool, waitFor } from '../loopback-model/index.ts';
import { eventOf, eventsOf, expect, type Place, runParley, startParley, test } from './gemini.ts';
import { processesWith } from './processes.ts';

/** How long a stopped tree may take to be gone, ms. */
const STOP_LIMIT_MS = 5_000;

const readFile = (file_path: string) => useTool('read_file', { file_path });
const writeFile = (file_path: string) => useTool('write_file', { file_path, content: 'spoilt' });
const run = (command: string) => useTool('run_shell_command', { command });

/** The words of a new conversation. A model is named, because without one another model is asked which it should be. */
const first = (place: Place, ...args: string[]) =>
  ['--agent', 'gemini', '--cwd', place.cwd, '--model', 'loopback-1', ...args] as const;

/** The directory of the attachments, which the CLI tells its model that it may read. */
function grantedIn({ input }: RecordedRequest): string {
  const found = /^ +- (\/\S+\/attachments\/\S+)$/m.exec(input?.userTexts.join('\n') ?? '')?.[1];
  if (found === undefined) throw new Error('no directory of attachments is granted');
  return found;
}

const lastResult = ({ input }: RecordedRequest) => input?.toolResults.at(-1)?.output;

/** Another conversation's picture. */
function sibling(home: string, place: Place): string {
  const path = join(home, 'attachments', 'conv-other', 'secret.png');
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(place.picture, path);
  return path;
}

test('a turn and the next one: image, partial text, what a read-only seat is refused, and the same session again', async ({
  home,
  place,
  gemini,
  model,
}) => {
  const secret = sibling(home, place);
  const gate = createGate();
  model.script(
    stream(say('I '), waitFor(gate), say('look.'), readFile(secret)),
    (request) => {
      expect(lastResult(request)).toContain('Path not in workspace');
      return stream(readFile(join(grantedIn(request), readdirSync(grantedIn(request))[0] ?? '')));
    },
    (request) => stream(writeFile('new.txt'), writeFile(join(grantedIn(request), 'new.png')), run('touch new.txt')),
    // Its plan mode can be left by asking for it, were that not forbidden.
    stream(writeFile('plan.md'), useTool('exit_plan_mode', { plan_filename: 'plan.md' })),
    stream(run('touch new.txt')),
    stream(say('I may only read.')),
  );
  const turn = startParley(home, gemini, first(place, '--attach', place.picture, 'What is this?'));
  await turn.until((event) => event.type === 'text' && event.text === 'I ');
  gate.open();
  const { code, events } = await turn.done;
  expect(code).toBe(0);
  expect(eventOf(events, 'ended').outcome).toEqual({ kind: 'completed' });
  expect(eventsOf(events, 'text').at(-1)?.text).toBe('I may only read.');
  expect(eventOf(events, 'usage').usage).toMatchObject({
    inputTokens: 7200,
    cachedInputTokens: 1200,
    outputTokens: 204,
  });

  const started = eventOf(events, 'started');
  const [delivery] = started.deliveries;
  const directory = dirname(delivery?.path ?? '');
  expect(delivery).toMatchObject({ name: 'sunset.png', route: 'mention', verified: true });
  expect(started.grants).toMatchObject([{ directory, right: 'read', expressedAs: '--include-directories' }]);
  const input = (await model.turn(0)).input;
  expect(input?.images.map(({ mime, bytes }) => [mime, bytes.equals(readFileSync(place.picture))])).toEqual([
    ['image/png', true],
  ]);
  expect(input?.userTexts.some((text) => text.startsWith('What is this?'))).toBe(true);
  expect(eventsOf(events, 'opened').map(({ path }) => path)).toEqual([delivery?.path]);

  expect(eventsOf(events, 'denied').map(({ what }) => what)).toEqual([
    `read file ${secret}`,
    'write file new.txt',
    `write file ${join(directory, 'new.png')}`,
    'command touch new.txt',
    'write file plan.md',
    'exit_plan_mode',
    'command touch new.txt',
  ]);
  expect(eventsOf(events, 'evidence')).toEqual([]);
  expect(readdirSync(place.cwd)).toEqual([]);
  expect(readdirSync(directory)).toHaveLength(1);

  const session = eventOf(events, 'session');
  expect(session.how).toBe('fresh');
  model.reset();
  model.script(stream(say('Still a sunset.')));
  const next = ['--conversation', started.conversationId, 'And now?'];
  const second = await runParley(home, gemini, next);
  expect(second.code).toBe(0);
  expect(eventOf(second.events, 'session')).toMatchObject({ sessionId: session.sessionId, how: 'resumed' });
  expect(eventOf(second.events, 'started').grants).toEqual(started.grants);
  const resumed = (await model.turn(0)).input;
  expect(resumed?.model).toBe('loopback-1');
  expect(resumed?.userTexts.some((text) => text.startsWith('What is this?'))).toBe(true);
  expect(resumed?.userTexts.at(-1)).toBe('And now?');

  gemini.forget();
  const third = await runParley(home, gemini, next);
  expect(eventOf(third.events, 'ended').outcome).toMatchObject({
    kind: 'failed',
    cause: { kind: 'session-rejected', sessionId: session.sessionId },
  });
});

test('without the grant the CLI neither attaches nor opens the image', async ({ home, place, gemini, model }) => {
  const picture = sibling(home, place);
  model.script(stream(readFile(picture)), stream(say('I cannot see it.')));
  const printed = await new Promise<string>((done) => {
    const words = ['--output-format', 'stream-json', '--skip-trust', '--approval-mode', 'plan', '--model=loopback-1'];
    const child = spawn(gemini.path, words, { cwd: place.cwd, env: gemini.env });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('close', () => done(stdout));
    child.stdin.end(`Look at @${picture} now.`);
  });
  expect((await model.turn(0)).input?.images).toEqual([]);
  expect((await model.turn(1)).input?.images).toEqual([]);
  expect(printed).toContain('Path not in workspace');
});

test('a seat that can write writes in its directory, its commands are evidence, and Stop ends its tree', async ({
  home,
  place,
  gemini,
  model,
}) => {
  const mark = `600.${process.pid}4`;
  model.script(
    stream(writeFile('inside.txt'), run('echo one; echo two >&2; echo three > made.txt; exit 3')),
    (request) =>
      stream(
        writeFile(join(grantedIn(request), 'spoilt.txt')),
        writeFile(join(home, 'spoilt.txt')),
        writeFile(join(relative(place.cwd, grantedIn(request)), 'spoilt.txt')),
      ),
    stream(say('I go to sleep.'), run(`(setsid sleep ${mark} &) ; sleep ${mark}`)),
  );
  const turn = startParley(home, gemini, first(place, '--write', '--attach', place.picture, 'Write.'));
  await turn.until((event) => event.type === 'tool-call' && event.title.includes(mark));
  await expect.poll(() => processesWith(`sleep ${mark}`).length).toBeGreaterThan(1);
  turn.interrupt();
  const { events } = await turn.done;
  await expect.poll(() => processesWith(`sleep ${mark}`), { timeout: STOP_LIMIT_MS }).toEqual([]);
  expect(processesWith(place.root)).toEqual([]);
  expect(eventOf(events, 'ended').outcome).toMatchObject({ kind: 'cancelled' });

  expect(readFileSync(join(place.cwd, 'inside.txt'), 'utf8')).toBe('spoilt');
  expect(readFileSync(join(place.cwd, 'made.txt'), 'utf8')).toBe('three\n');
  const { evidence } = eventOf(events, 'evidence');
  expect(evidence).toMatchObject({ exitCode: null, source: 'gemini', description: expect.stringContaining('exit 3') });
  expect(evidence.resultSummary.split('\n').sort()).toEqual(['one', 'two']);
  expect(eventsOf(events, 'denied').map(({ reason }) => reason)).toEqual([
    expect.stringContaining('Parley keeps its own data there'),
    expect.stringContaining('Path not in workspace'),
    expect.stringContaining('without “..”'),
  ]);
  const { deliveries, caveats } = eventOf(events, 'started');
  expect(readdirSync(dirname(deliveries[0]?.path ?? ''))).toHaveLength(1);
  expect(existsSync(join(home, 'spoilt.txt'))).toBe(false);
  expect(caveats.join(' ')).toContain('without a sandbox');
});

test('text is text: no command, no mention, no option, at any length, and beside an image', async ({
  home,
  place,
  gemini,
  model,
}) => {
  writeFileSync(join(place.cwd, 'alice.txt'), 'what Alice keeps to herself');
  // Without a model's name the CLI asks a small one how hard the question is.
  model.script(stream(say('{"complexity_reasoning":"short","complexity_score":1}')), stream(say('Read.')));
  const text = `/compress --yolo @alice, bob@example.com ${'a long line äö😀\n'.repeat(15_000)}end`;
  const words = ['--agent', 'gemini', '--cwd', place.cwd, '--attach', place.picture, '-'];
  const { code, events } = await runParley(home, gemini, words, text);
  expect(code).toBe(0);
  const seen = model.turns.at(-1)?.input;
  expect(seen?.images).toHaveLength(1);
  const sent = seen?.userTexts.find((part) => part.includes('/compress')) ?? '';
  // At its beginning and end the CLI itself takes blanks away.
  expect(sent.startsWith(text.replaceAll('@', '\\@'))).toBe(true);
  expect(JSON.stringify(seen?.userTexts)).not.toContain('keeps to herself');
  expect(eventOf(events, 'started').caveats.join(' ')).toContain('“\\@name”');
});
