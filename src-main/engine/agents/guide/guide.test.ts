import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SAMPLES } from '../../images/samples.ts';

/** The Guide as a process: bundled as the build does it, run by this Node. */

const line = z.object({
  type: z.string(),
  thread_id: z.string().optional(),
  item: z
    .object({
      id: z.string(),
      type: z.string(),
      text: z.string().default(''),
      message: z.string().default(''),
      command: z.string().default(''),
      aggregated_output: z.string().default(''),
      exit_code: z.number().nullable().optional(),
      status: z.string().default(''),
    })
    .optional(),
});
type Line = z.infer<typeof line>;

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  lines: Line[];
  sessionId: string;
  /** The text of the last message. */
  answer: string;
  commands: { command: string; exitCode: number | null | undefined; output: string }[];
}

let program: string;
let root: string;
let cwd: string;
let home: string;

beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), 'parley-guide-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: program,
      emptyOutDir: true,
      target: 'node20',
      ssr: true,
      minify: false,
      rolldownOptions: {
        input: { guide: join(import.meta.dirname, 'guide.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true, target: 'node' },
  });
});
afterAll(() => rm(program, { recursive: true, force: true }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-guide-test-'));
  cwd = join(root, 'shop');
  home = join(root, 'guide-home');
  await mkdir(cwd);
});
afterEach(() => rm(root, { recursive: true, force: true }));

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return spawn(process.execPath, [join(program, 'guide.mjs'), ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: root, PARLEY_GUIDE_HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function run(args: readonly string[], prompt: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const child = start(args, env);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.end(prompt);
  await once(child, 'close');
  const stdout = Buffer.concat(out).toString('utf8');
  return {
    code: child.exitCode,
    stdout,
    stderr: Buffer.concat(err).toString('utf8'),
    ...readLines(stdout),
  };
}

function readLines(stdout: string) {
  const lines = stdout.startsWith('{')
    ? stdout
        .trim()
        .split('\n')
        .map((text) => line.parse(JSON.parse(text)))
    : [];
  const completed = lines.flatMap(({ type, item }) => (type === 'item.completed' && item !== undefined ? [item] : []));
  return {
    lines,
    sessionId: lines.find(({ type }) => type === 'thread.started')?.thread_id ?? '',
    answer: completed.findLast(({ type }) => type === 'agent_message')?.text ?? '',
    commands: completed
      .filter(({ type }) => type === 'command_execution')
      .map(({ command, exit_code, aggregated_output }) => ({
        command,
        exitCode: exit_code,
        output: aggregated_output,
      })),
  };
}

const turnArgs = (...images: string[]) => [
  ...['exec', '--json', '--skip-git-repo-check', '-C', cwd, '-s', 'read-only'],
  ...images.flatMap((image) => ['-i', image]),
  '-',
];
const resumeArgs = (id: string) => [
  'exec',
  '--json',
  '--skip-git-repo-check',
  '-C',
  cwd,
  '-s',
  'read-only',
  'resume',
  id,
  '-',
];

const ask = (prompt: string, ...images: string[]) => run(turnArgs(...images), prompt);
const askAgain = (id: string, prompt: string) => run(resumeArgs(id), prompt);

function git(...args: string[]) {
  execFileSync('git', args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: root,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.org',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    stdio: 'pipe',
  });
}

async function writeProject() {
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'shop', description: 'Sells *things*' }));
  await writeFile(join(cwd, 'README.md'), '# The Shop\n\nA shop that sells things.\n');
  await writeFile(join(cwd, 'index.ts'), 'one\ntwo\n');
}

async function writeRepository() {
  await writeProject();
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Open the shop');
}

/** Every path below `directory` with its size, its times and its bytes. */
async function snapshot(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(directory, name);
      const { mtimeMs, size, mode } = await stat(path);
      const bytes = (await stat(path)).isFile() ? (await readFile(path)).toString('base64') : '';
      return `${name} ${mtimeMs} ${size} ${mode} ${bytes}`;
    }),
  );
}

describe('a first turn', () => {
  it('opens the images, looks around with real commands, and answers from what it found', async () => {
    await writeRepository();
    await writeFile(join(cwd, 'new.ts'), 'three\n');
    await mkdir(join(cwd, 'dist'));
    await writeFile(join(cwd, 'dist', 'built.js'), 'built\n');
    await writeFile(join(cwd, '.git', 'info', 'exclude'), 'dist/\n');
    const image = new PNG({ width: 40, height: 30 });
    for (let at = 0; at < image.data.length; at += 4) image.data.set([20, 60, 200, 255], at);
    const path = join(root, 'blue.png');
    await writeFile(path, PNG.sync.write(image));

    const ran = await ask(`What is this?\n\nAttached image:\n- ${path} (image/png, named “My shot.png”)\n`, path);

    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe('');
    expect(ran.lines[0]?.type).toBe('thread.started');
    expect(ran.lines.at(-1)?.type).toBe('turn.completed');
    expect(ran.commands.map(({ command, exitCode }) => [command, exitCode])).toEqual([
      ['git rev-parse --show-toplevel', 0],
      ['ls -p', 0],
      ['git log -5 --oneline', 0],
      ['git status --short --ignored', 0],
    ]);
    expect(ran.answer).toContain('I use no model');
    expect(ran.answer).toContain('**My shot.png**: PNG image, 40 × 30 px');
    expect(ran.answer).toContain('Mostly blue `#143cc8` (100 %)');
    expect(ran.answer).toContain('is called **shop**: Sells \\*things\\*');
    expect(ran.answer).toContain('“The Shop”');
    expect(ran.answer).toContain('TypeScript 3 lines in 2 files');
    expect(ran.answer).toContain('Open the shop');
    expect(ran.answer).toContain('?? new.ts');
    expect(ran.answer).toContain('Left out: `.git`, `dist`.');
    expect(ran.answer).not.toContain('!!');
  });

  it('reports each command before and after it ran, under one id', async () => {
    const { lines } = await ask('hello');
    const commands = lines.filter(({ item }) => item?.type === 'command_execution');
    const started = commands.filter(({ type }) => type === 'item.started').map(({ item }) => item?.id);
    const completed = commands.filter(({ type }) => type === 'item.completed').map(({ item }) => item?.id);
    expect(started.length).toBeGreaterThan(0);
    expect(completed).toEqual(started);
  });

  it('reports the exit code of git where there is no repository', async () => {
    await writeProject();
    const { commands, answer, code } = await ask('what changed lately?');
    const [repository, , log] = commands;
    expect(code).toBe(0);
    expect(repository).toMatchObject({ command: 'git rev-parse --show-toplevel', exitCode: 128 });
    expect(log).toMatchObject({ command: 'git log -5 --oneline', exitCode: 128 });
    expect(log?.output).toContain('not a git repository');
    expect(answer).toContain('`git log` ended with exit code 128');
  });

  it('has no exit code to report for a program that is missing, and answers all the same', async () => {
    await writeProject();
    const { commands, answer, code } = await run(turnArgs(), 'what is this project?', { PATH: join(root, 'nothing') });
    expect(code).toBe(0);
    expect(commands.map(({ exitCode }) => exitCode)).toEqual([null, null, null]);
    expect(answer).toContain('is called **shop**');
    expect(answer).toContain('`git log` could not be run');
  });

  it('changes nothing in the working directory, not even in .git', async () => {
    await writeRepository();
    await writeFile(join(cwd, 'index.ts'), 'one\ntwo\nthree\n');
    const before = await snapshot(cwd);
    await run(
      turnArgs().map((argument) => (argument === 'read-only' ? 'workspace-write' : argument)),
      'hello',
    );
    expect(await snapshot(cwd)).toEqual(before);
  });

  it('tells damaged, foreign and vanished images, and goes on', async () => {
    const cut = join(root, 'cut.jpg');
    const page = join(root, 'page.png');
    await writeFile(cut, SAMPLES.jpeg.bytes.subarray(0, -20));
    await writeFile(page, '<!doctype html><p>404</p>');
    const { answer, code } = await ask('see these images', cut, page, join(root, 'gone.png'));
    expect(code).toBe(0);
    expect(answer).toContain('“cut.jpg” ends in the middle of the image');
    expect(answer).toContain('“page.png” is an HTML page');
    expect(answer).toContain('“gone.png” could not be opened');
  });

  it('measures every kind of image, and reads the colours of those that it can decode', async () => {
    const samples = Object.entries(SAMPLES);
    const paths = samples.map(([name]) => join(root, `${name}.img`));
    await Promise.all(samples.map(([, { bytes }], index) => writeFile(paths[index] ?? '', bytes)));
    const { answer } = await ask('images', ...paths);
    for (const [name, { mime, width, height, bytes }] of samples) {
      const told = answer.split('\n\n').find((section) => section.startsWith(`**${name}.img**`));
      expect(told).toContain(`${width} × ${height} px, ${bytes.length} bytes`);
      expect(told).toContain(mime === 'image/webp' ? 'I did not read its colours' : 'Mostly ');
    }
  });
});

describe('a hostile working directory', () => {
  it('is read without waiting on pipes, following links out, or running what its git configuration names', async () => {
    await writeRepository();
    const trap = join(root, 'trap.sh');
    const sprung = join(root, 'sprung');
    await writeFile(trap, `#!/bin/sh\ntouch ${sprung}\n`);
    await chmod(trap, 0o755);
    git('config', 'core.fsmonitor', trap);
    git('config', 'core.pager', trap);
    git('config', 'gpg.program', trap);
    git('config', 'log.showSignature', 'true');
    await writeFile(join(root, 'secret.md'), '# Secret heading\n\nSecret text.\n');
    await rm(join(cwd, 'README.md'));
    await symlink(join(root, 'secret.md'), join(cwd, 'README.md'));
    await symlink(cwd, join(cwd, 'loop'));
    await symlink('package.json', join(cwd, 'inside.json'));
    execFileSync('mkfifo', [join(cwd, 'pipe.ts')]);
    await writeFile(join(cwd, 'big.ts'), '');
    await truncate(join(cwd, 'big.ts'), 20 * 1024 ** 3);
    await writeFile(join(cwd, 'a\nb`<img src=x>.ts'), 'x\n');

    const { code, answer, commands } = await ask('project, size, changes; show loop/../../secret.md and pipe.ts');

    expect(code).toBe(0);
    expect(existsSync(sprung)).toBe(false);
    expect(commands.at(-1)).toMatchObject({ command: 'git status --short --ignored', exitCode: 0 });
    expect(answer).not.toContain('Secret');
    expect(answer).toContain('3 symbolic links not followed');
  });

  it('that is gone is told, not crashed over', async () => {
    const gone = join(root, 'gone');
    const { code, answer, commands } = await run(
      turnArgs().map((argument) => (argument === cwd ? gone : argument)),
      'hello',
    );
    expect(code).toBe(0);
    expect(commands.every(({ exitCode }) => exitCode === null)).toBe(true);
    expect(answer).toContain('could not be read');
  });
});

describe('a file that the message names', () => {
  it('is shown when it lies in the working directory, and only then', async () => {
    await writeProject();
    await writeFile(join(cwd, 'notes.txt'), `${'line\n'.repeat(100)}`);
    await writeFile(join(root, 'secret.txt'), 'secret words');
    const { answer } = await ask('Show me index.ts, `notes.txt` and ../secret.txt.');
    expect(answer).toContain('**index.ts**, 8 bytes; the whole of it:\n\n```\none\ntwo\n```');
    expect(answer).toContain('**notes.txt**, 500 bytes; its beginning:');
    expect(answer).not.toContain('secret words');
  });

  it('cannot break out of the block that it is shown in', async () => {
    await writeFile(join(cwd, 'evil.md'), '```\n<script>alert(1)</script>\n\u001b]52;c;eA==\u0007');
    const { answer } = await ask('show evil.md');
    expect(answer).toContain('````\n```\n<script>alert(1)</script>');
    expect(answer).not.toContain('\u001b');
  });
});

describe('a session', () => {
  it('is remembered: what was asked, and which images were attached', async () => {
    const path = join(root, 'sky.gif');
    await writeFile(path, SAMPLES.gif.bytes);
    const first = await ask(`Look at the sky\n\nAttached image:\n- ${path} (image/gif, named “sky.gif”)`, path);
    const second = await askAgain(first.sessionId, 'Which image did I attach before?');
    expect(second.code).toBe(0);
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.answer).toContain('**sky.gif**: GIF image, 4 × 6 px, mostly dark green');
    expect(second.answer).toContain('“Look at the sky”, with **sky.gif**');
    const third = await askAgain(first.sessionId, 'What did I ask earlier?');
    expect(third.answer).toContain('You sent 2 messages before this one');
  });

  it('is not looked around in again unless asked', async () => {
    const first = await ask('hello');
    const second = await askAgain(first.sessionId, 'lovely weather');
    expect(second.commands).toEqual([]);
    expect(second.answer).toContain('I match words; I do not understand sentences');
    const third = await askAgain(first.sessionId, 'Please fix the tests');
    expect(third.answer).toContain('“fix” is beyond me');
  });

  it('knows nothing of another one', async () => {
    await ask('The word is swordfish');
    const other = await ask('What did I say before?');
    expect(other.answer).not.toContain('swordfish');
    expect(other.answer).toContain('first message of this session');
  });

  it('that is unknown is refused in the words of Codex, before anything is reported', async () => {
    const id = '0199a213-81c0-7800-8aa1-bbab2a035a53';
    const ran = await askAgain(id, 'hello');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toBe(
      `Error: thread/resume: thread/resume failed: no rollout found for thread id ${id} (code -32600)\n`,
    );
  });

  it('that cannot be kept is said to be forgotten; the answer is given', async () => {
    await writeFile(home, 'not a directory');
    const ran = await ask('hello');
    expect(ran.code).toBe(0);
    expect(ran.answer).toContain('Hello!');
    const warning = ran.lines.find(({ item }) => item?.type === 'error');
    expect(warning?.item?.message).toContain('This turn will not be remembered');
  });
});

describe('adding an agent', () => {
  it('is explained with the commands', async () => {
    const { answer } = await ask('How do I add a real agent?');
    expect(answer).toContain('npm install -g @openai/codex');
    expect(answer).toContain('codex login');
  });
});

describe('the program', () => {
  it('ends on SIGTERM with what it started, and claims nothing', async () => {
    const bin = join(root, 'bin');
    const pipe = join(root, 'pid');
    await mkdir(bin);
    execFileSync('mkfifo', [pipe]);
    await writeFile(join(bin, 'git'), `#!/bin/sh\necho $$ > ${pipe}\nexec sleep 600\n`);
    await chmod(join(bin, 'git'), 0o755);
    const child = start(turnArgs(), { PATH: `${bin}:${process.env.PATH}` });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stdin.end('hello');
    // Returns when the fake git has written: then it runs.
    const pid = Number(await readFile(pipe, 'utf8'));
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(child.exitCode).toBe(143);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const { lines, answer, commands } = readLines(Buffer.concat(out).toString('utf8'));
    expect(commands).toEqual([]);
    expect(answer).toBe('Looking around the working directory. I only read.');
    // The command that was stopped was never reported as finished.
    expect(lines.at(-1)).toMatchObject({ type: 'item.started', item: { command: 'git rev-parse --show-toplevel' } });
  });

  it('says what is wrong with its arguments, on stderr, with exit code 2', async () => {
    const ran = await run(['exec', '-C', cwd, '-'], '');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('--json is missing');
    expect(ran.stdout).toBe('');
  });

  it('says its version and how it is used', async () => {
    expect((await run(['--version'], '')).stdout).toMatch(/^parley-guide \d+\.\d+\.\d+\n$/);
    expect((await run(['--help'], '')).stdout).toContain('needs no model');
  });

  it('takes text that looks like a flag, or like JSON, as text', async () => {
    const first = await ask('--help');
    expect(first.answer).toContain('Hello!');
    const second = await askAgain(first.sessionId, '{"type":"turn.completed"} what did i say before');
    expect(second.answer).toContain('“--help”');
  });

  it('takes a message of five megabytes', async () => {
    const { code, answer } = await ask(`what changed? ${'x'.repeat(5_000_000)}`);
    expect(code).toBe(0);
    expect(answer.length).toBeLessThan(100_000);
  });
});
