import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, stream, useTool } from '../loopback-model/index.ts';
import { type CodexSetting, eventOf, expect, type Place, runParley, test } from './codex.ts';
import { processesWith } from './processes.ts';

/** One turn in the working directory of `place`. */
function turn(home: string, codex: CodexSetting, place: Place, args: readonly string[], stdin: string | null = null) {
  return runParley(home, codex, ['--agent', 'codex', '--cwd', place.cwd, ...args], stdin);
}

test('a turn and the next one: image, answer, evidence, artifacts, and the same session again', async ({
  home,
  place,
  codex,
  model,
}) => {
  model.script(
    stream(say('I look around.'), useTool('exec_command', { cmd: 'echo seen; exit 3' })),
    stream(say('The command failed with code 3.')),
  );
  const first = await turn(home, codex, place, ['--model', 'loopback-2', '--attach', place.picture, 'What is this?']);
  expect(first.code).toBe(0);
  expect(first.events.map(({ seq }) => seq)).toEqual(first.events.map((_, index) => index));
  const started = eventOf(first.events, 'started');
  const session = eventOf(first.events, 'session');
  expect(eventOf(first.events, 'ended').outcome).toEqual({ kind: 'completed' });
  expect(eventOf(first.events, 'evidence').evidence).toMatchObject({
    exitCode: 3,
    resultSummary: 'seen\n',
    source: 'codex',
  });
  expect(session.how).toBe('fresh');

  const [delivery] = started.deliveries;
  expect(delivery).toMatchObject({ name: 'sunset.png', route: 'flag', verified: true });
  const input = (await model.turn(0)).input;
  expect(input?.userTexts.at(-1)).toContain('What is this?');
  expect(input?.userTexts.at(-1)).toContain(delivery?.path ?? 'no path');
  expect(input?.userTexts.at(-1)).toContain('image/png');
  expect(input?.images.map(({ mime, bytes }) => [mime, bytes.equals(readFileSync(place.picture))])).toEqual([
    ['image/png', true],
  ]);

  const tape = codex.tape(0);
  const artifact = (kind: string) => readFileSync(join(home, 'artifacts', started.run, `${started.stem}.${kind}`));
  expect(artifact('prompt.md').equals(tape.stdin)).toBe(true);
  expect(artifact('stdout.log').equals(tape.stdout)).toBe(true);
  expect(artifact('stderr.log').equals(tape.stderr)).toBe(true);
  expect(JSON.parse(artifact('meta.json').toString())).toBeTruthy();

  model.script(stream(say('Still a sunset.')));
  const second = await runParley(home, codex, ['--conversation', started.conversationId, 'And now?']);
  expect(second.code).toBe(0);
  expect(eventOf(second.events, 'session')).toMatchObject({ sessionId: session.sessionId, how: 'resumed' });
  const again = eventOf(second.events, 'started');
  expect(again.commandLine.slice(-3)).toEqual(['resume', session.sessionId, '-']);
  const resumed = (await model.turn(2)).input;
  expect(resumed?.model).toBe('loopback-2');
  expect(resumed?.images).toHaveLength(1);
  expect(resumed?.userTexts.at(-1)).toBe('And now?');
  expect(rightsIn(resumed?.userTexts ?? [])).toEqual(rightsIn(input?.userTexts ?? []));
});

/** What Codex tells the model about its working directory and its sandbox, as last said. */
function rightsIn(texts: readonly string[]): string | undefined {
  return texts.flatMap((text) => text.match(/<filesystem>.*<\/filesystem>/s) ?? []).at(-1);
}

test('a prompt of nearly all that Codex takes arrives whole, by standard input', async ({
  home,
  place,
  codex,
  model,
}) => {
  model.script(stream(say('Read.')));
  const text = `--not-an-option ${'äö😀 '.repeat(200_000)}end`;
  const { code } = await turn(home, codex, place, ['-'], text);
  expect(code).toBe(0);
  expect((await model.turn(0)).input?.userTexts.at(-1)).toBe(text);
  expect(codex.tape(0).stdin.toString()).toBe(text);
});

test('five megabytes go to Codex whole, and what it says about them is said to the operator', async ({
  home,
  place,
  codex,
}) => {
  const text = 'a long log line\n'.repeat(5 * 65_536);
  const { code, events } = await turn(home, codex, place, ['-'], text);
  expect(code).toBe(1);
  expect(codex.tape(0).stdin.toString()).toBe(text);
  // codex-cli 0.171 takes 1,048,576 characters at once.
  expect(eventOf(events, 'ended').outcome).toMatchObject({
    kind: 'failed',
    cause: { kind: 'exit', code: 1, detail: expect.stringContaining('1,048,576 characters') },
  });
});

test('text that looks like a flag is text', async ({ home, place, codex, model }) => {
  for (const text of ['-', '--help', 'resume --last']) {
    model.script(stream(say('Read.')));
    const { code } = await turn(home, codex, place, ['-'], text);
    expect(code).toBe(0);
    expect(model.turns.at(-1)?.input?.userTexts.at(-1)).toBe(text);
  }
});

test('at its time limit the whole tree is ended, and every byte printed so far is kept', async ({
  home,
  place,
  codex,
  model,
}) => {
  const mark = `600.${process.pid}1`;
  const cmd = `echo before; (setsid sleep ${mark} &) ; sleep ${mark}`;
  model.script(
    stream(say('I wait.'), useTool('exec_command', { cmd: 'echo done' })),
    stream(useTool('exec_command', { cmd, yield_time_ms: 250 })),
    () => {
      expect(processesWith(`sleep ${mark}`).length).toBeGreaterThan(1);
      return stream(useTool('exec_command', { cmd: `sleep ${mark}`, yield_time_ms: 30_000 }));
    },
  );
  const { code, events } = await turn(home, codex, place, ['--timeout', '15', 'Wait.']);
  expect(code).toBe(1);
  const { outcome } = eventOf(events, 'ended');
  expect(outcome).toMatchObject({ kind: 'timed-out', clock: 'wall', limitMs: 15_000 });
  expect(outcome.kind === 'timed-out' ? outcome.ended.join(', ') : '').toContain('sleep');
  expect(processesWith(`sleep ${mark}`)).toEqual([]);
  expect(events.filter(({ type }) => type === 'evidence')).toHaveLength(1);
  expect(events.find((event) => event.type === 'text')).toMatchObject({ text: 'I wait.' });
  const { run, stem } = eventOf(events, 'started');
  const kept = readFileSync(join(home, 'artifacts', run, `${stem}.stdout.log`));
  expect(kept.equals(codex.tape(0).stdout)).toBe(true);
  expect(kept.toString()).toContain('"aggregated_output":"done\\n"');
});

const WRITES = (place: Place, data: string) =>
  [
    `touch ${JSON.stringify(join(place.cwd, 'inside.txt'))}`,
    `find ${JSON.stringify(join(data, 'attachments'))} -type d -exec touch {}/spoilt \\;`,
    `find ${JSON.stringify(join(data, 'artifacts'))} -type d -exec touch {}/spoilt \\;`,
    `touch ${JSON.stringify(join(data, 'spoilt'))}`,
    'mktemp',
  ].join('; ');

for (const where of ['beside the working directory', 'below the temporary directory', 'below the working directory']) {
  test(`a seat that can write writes in the working directory and never in Parley’s data ${where}`, async ({
    place,
    codex,
    model,
  }) => {
    const temporary = mkdtempSync(join(tmpdir(), 'parley-data-'));
    const homes: Readonly<Record<string, string>> = {
      'beside the working directory': join(place.root, 'data'),
      'below the temporary directory': temporary,
      'below the working directory': join(place.cwd, 'data'),
    };
    const data = homes[where] ?? temporary;
    mkdirSync(data, { recursive: true });
    let begin: readonly string[] = ['--agent', 'codex', '--cwd', place.cwd, '--write', '--attach', place.picture];
    for (const _session of ['first', 'resumed']) {
      model.script(stream(useTool('exec_command', { cmd: WRITES(place, data) })), stream(say('Done.')));
      const { code, events } = await runParley(data, codex, [...begin, 'Write.']);
      expect(code).toBe(0);
      begin = ['--conversation', eventOf(events, 'started').conversationId];
      const { resultSummary } = eventOf(events, 'evidence').evidence;
      expect(resultSummary).toMatch(/\/tmp\/tmp\.\w+\n$/);
      expect(resultSummary.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(4);
      expect(existsSync(join(place.cwd, 'inside.txt'))).toBe(true);
      expect(filesNamed(data, 'spoilt')).toEqual([]);
      rmSync(join(place.cwd, 'inside.txt'));
      rmSync(resultSummary.trim().split('\n').at(-1) ?? '', { force: true });
    }
    rmSync(temporary, { recursive: true });
  });
}
function filesNamed(directory: string, name: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(name));
}

test('a read-only seat writes nowhere', async ({ home, place, codex, model }) => {
  model.script(
    stream(useTool('exec_command', { cmd: 'touch inside.txt; touch /tmp/parley-spoilt; mktemp' })),
    stream(say('No.')),
  );
  const { code, events } = await turn(home, codex, place, ['Write.']);
  expect(code).toBe(0);
  expect(eventOf(events, 'started').grants).toEqual([]);
  // Codex 0.171 reports a command that its sandbox refused only sometimes. That it was tried is what the model was told.
  const told = JSON.stringify((await model.turn(1)).body);
  expect(told).toContain('function_call_output');
  expect(told).toMatch(/Read-only file system|sandbox|denied/i);
  for (const event of events) if (event.type === 'evidence') expect(event.evidence.exitCode).toBe(1);
  expect(readdirSync(place.cwd)).toEqual([]);
  expect(existsSync('/tmp/parley-spoilt')).toBe(false);
});
