import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProcess, findTree } from '../../process/index.ts';
import type { ToolContext } from '../tool.ts';
import { Excerpt } from './excerpt.ts';
import { findSandbox } from './findSandbox.ts';
import { toolsFor } from './index.ts';
import { type Sandbox, sandboxCaveats } from './sandbox.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { makeYard, NO_SANDBOX, type Yard } from './tools.harness.ts';

let yard: Yard;
beforeEach(async () => {
  yard = await makeYard();
});
afterEach(async () => {
  // Whatever a test did, none of its processes is left.
  for (const { pid, started, marker } of yard.processes) {
    expect(await findTree({ root: { pid, started }, marker })).toEqual([]);
  }
  expect((await readdir(join(yard.cwd, '..', 'scratch'))).filter((name) => name.startsWith('command-'))).toEqual([]);
  await yard.remove();
});

const real: Sandbox = await findSandbox({ PATH: process.env.PATH ?? '' });
const MODES: { mode: string; sandbox: Sandbox }[] = [
  { mode: 'without a sandbox', sandbox: NO_SANDBOX },
  ...(real.kind === 'none' ? [] : [{ mode: `inside ${real.kind}`, sandbox: real }]),
];

describe.each(MODES)('bash $mode', ({ sandbox }) => {
  const bash = (command: string, more: object = {}, changes: Partial<ToolContext> = {}) =>
    yard.run('bash', { command, ...more }, changes, sandbox);

  it('returns what was printed and the exit code, and is evidence of it', async () => {
    const outcome = await bash('echo out; echo err >&2; pwd; cat; exit 3');
    expect(outcome.status).toBe('failed');
    expect(outcome.text).toBe(`Exit code 3.\nstdout:\nout\n${yard.cwd}\nstderr:\nerr`);
    expect(outcome.command).toEqual({
      line: 'echo out; echo err >&2; pwd; cat; exit 3',
      exitCode: 3,
      tail: `out\n${yard.cwd}\nerr`,
    });
    expect(yard.printed).toEqual({ stdout: `out\n${yard.cwd}\n`, stderr: 'err\n' });
    expect(await bash('true')).toMatchObject({ status: 'ok', text: 'Exit code 0.\nIt printed nothing.' });
  });

  it('survives bytes that are no text, and strips terminal escapes', async () => {
    const outcome = await bash(String.raw`printf '\xff\x00\x1b[31mred\x1b[0m na\xefve\n'`);
    expect(outcome.text).toBe('Exit code 0.\nstdout:\n�red na�ve');
  });

  it('shows beginning and end of much output, and keeps all of it', async () => {
    const outcome = await bash('echo begin; yes üüüüüüü | head -c 3000000; echo; echo end', {}, { callId: 'a/../b' });
    expect(outcome.text).toContain('begin');
    expect(outcome.text.length).toBeLessThan(26_000);
    expect(outcome.text).toMatch(/bytes left out/);
    expect(outcome.text).toContain('end\n[All 3,000,011 bytes');
    expect(outcome.text).not.toContain('�');
    const [name] = await readdir(yard.kept);
    expect(outcome.text).toContain(`“${name}”`);
    expect((await stat(join(yard.kept, name ?? ''))).size).toBe(3_000_011);
    expect(outcome.command?.tail.length).toBeLessThanOrEqual(1_024);
  });

  it('ends at its limits with everything printed, the whole tree, and no exit code', async () => {
    const wall = await bash('trap "" TERM; echo before; setsid sleep 601 & sleep 602', { timeout_ms: 1_000 });
    expect(wall).toMatchObject({ status: 'failed', command: { exitCode: null, tail: 'before' } });
    expect(wall.text).toContain('limit of 1 s (timeout_ms)');
    const idle = await bash('echo before; sleep 603', { idle_ms: 1_000 });
    expect(idle.text).toContain('after 1 s without output (idle_ms)');
    expect(idle.text).toContain('before');
  });

  it('ends what it left running', async () => {
    const outcome = await bash('(setsid sleep 604 &) ; sleep 605 & echo done');
    expect(outcome).toMatchObject({ status: 'ok', command: { exitCode: 0 } });
  });

  it('is ended by the signal within the grace, asked first, with what it had printed', async () => {
    const cancel = new AbortController();
    const context = yard.context({ signal: cancel.signal, graceMs: 2_000 });
    const command =
      'trap "echo asked" TERM; (trap "" TERM; setsid sleep 606 & sleep 607) & echo ready; while :; do sleep 0.05; done';
    let start = 0;
    context.onOutput = (_, chunk) => {
      if (start !== 0 || !chunk.includes('ready')) return;
      start = performance.now();
      cancel.abort();
    };
    const tool = toolsFor({ allowWrite: true, sandbox }).find(({ spec }) => spec.name === 'bash');
    const outcome = await tool?.run({ command }, context);
    expect(outcome).toMatchObject({ status: 'interrupted', command: { exitCode: null } });
    expect(outcome?.text).toContain('ready\nasked');
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it('does not begin when the signal has fired', async () => {
    const outcome = await bash('touch made', {}, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: 'interrupted' });
    expect(await readdir(yard.cwd)).toEqual([]);
    expect(yard.processes).toEqual([]);
  });

  it('runs beside another one and ends alone', async () => {
    const [short, long] = await Promise.all([bash('sleep 0.2; echo short'), bash('sleep 1; echo long')]);
    expect(short.text).toContain('short');
    expect(long.text).toContain('Exit code 0.\nstdout:\nlong');
  });

  it('tells of each process before it can do anything, so that a crash can be cleaned up', async () => {
    const refuse = () => {
      throw new Error('not written down');
    };
    const outcome = await bash('sleep 0.5; touch made', {}, { onProcess: refuse });
    expect(outcome).toMatchObject({ status: 'failed', text: 'bash failed: not written down' });
    expect(existsSync(join(yard.cwd, 'made'))).toBe(false);
    await bash('true');
    const [started] = yard.processes;
    expect(started?.marker).toMatch(/^inv-tools-\d+\.[0-9a-f]+$/);
    expect(await findProcess(started?.pid ?? 0)).toBeNull();
  });

  it('writes below cwd on a seat that may', async () => {
    expect(await bash('echo new > made')).toMatchObject({ status: 'ok' });
    expect(await readFile(join(yard.cwd, 'made'), 'utf8')).toBe('new\n');
  });
});

describe(`the sandbox here: ${real.kind === 'none' ? `none, because ${real.why}` : real.kind}`, () => {
  const bash = (command: string, changes: Partial<ToolContext> = {}) => yard.run('bash', { command }, changes, real);

  it('is what decides whether a read-only seat is offered commands', async () => {
    const names = (allowWrite: boolean, sandbox: Sandbox) =>
      toolsFor({ allowWrite, sandbox }).map(({ spec }) => spec.name);
    expect(names(true, NO_SANDBOX)).toEqual(['read', 'glob', 'grep', 'view_image', 'write', 'edit', 'bash']);
    expect(names(false, NO_SANDBOX)).toEqual(['read', 'glob', 'grep', 'view_image']);
    expect(names(false, { kind: 'bubblewrap', program: 'bwrap' })).toEqual([
      'read',
      'glob',
      'grep',
      'view_image',
      'bash',
    ]);
    const bare = toolsFor({ allowWrite: true, sandbox: NO_SANDBOX }).find(({ spec }) => spec.name === 'bash');
    expect(await bare?.run({ command: 'touch x' }, yard.context({ allowWrite: false }))).toMatchObject({
      status: 'denied',
    });
    expect(sandboxCaveats(NO_SANDBOX, true)[0]).toContain('without a sandbox, because a test says so');
  });

  it('that is not installed, or does not hold, is told as none', async () => {
    const bin = join(yard.kept, 'bin');
    await mkdir(bin);
    expect(await findSandbox({ PATH: bin }, 'linux')).toEqual({
      kind: 'none',
      why: 'bubblewrap (bwrap) is not installed',
    });
    const broken = join(yard.kept, 'broken');
    await mkdir(broken);
    await writeFile(
      join(broken, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    expect(await findSandbox({ PATH: broken }, 'linux')).toMatchObject({
      kind: 'none',
      why: expect.stringContaining('No permissions'),
    });
    const open = join(yard.kept, 'open');
    await mkdir(open);
    // It runs the command, and keeps it from nothing.
    const script =
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; "$@"; c=$?; echo "{ \\"exit-code\\": $c }" >&3; exit $c\n';
    await writeFile(join(open, 'bwrap'), script, { mode: 0o755 });
    expect(await findSandbox({ PATH: `${open}:/usr/bin:/bin` }, 'linux')).toMatchObject({ kind: 'none' });
    expect(await findSandbox({ PATH: bin }, 'win32')).toMatchObject({ kind: 'none' });
  });

  it.runIf(real.kind === 'bubblewrap')('lets nothing outside of cwd be written', async () => {
    await writeFile(join(yard.readable, 'granted'), 'granted');
    const command = [
      `for d in ${yard.outside} ${yard.readable} ${yard.hidden} /usr /etc ~ /run /var/tmp; do touch $d/x 2>/dev/null && echo wrote $d; done`,
      'mount -o remount,rw / 2>/dev/null && echo remounted',
      `cat ${yard.readable}/granted`,
      'touch here && touch /tmp/scratch && echo fine',
    ].join('; ');
    const { text, status } = await bash(command);
    expect(status).toBe('ok');
    expect(text).toContain('granted');
    expect(text).toContain('fine');
    // What is hidden or private is a directory of its own inside: nothing of it is seen outside.
    for (const path of [yard.outside, yard.readable, '/usr', '/etc']) expect(text).not.toContain(`wrote ${path}\n`);
    for (const path of [yard.outside, yard.hidden]) expect(await readdir(path)).toEqual([]);
    expect(existsSync('/tmp/scratch') || existsSync('/run/x') || existsSync('/var/tmp/x') || existsSync('/usr/x')).toBe(
      false,
    );
    expect((await bash('ls /tmp')).text).toContain('scratch');
  });

  it.runIf(real.kind === 'bubblewrap')('lets a read-only seat write nothing at all', async () => {
    const { text } = await bash('touch x; mkdir y; echo z > z; ls -A', { allowWrite: false });
    expect(text).toContain('Read-only file system');
    expect(await readdir(yard.cwd)).toEqual([]);
  });

  it.runIf(real.kind === 'bubblewrap')(
    'hides Parley’s data, but not a grant inside it, nor what cwd is inside it',
    async () => {
      await writeFile(join(yard.hidden, 'db'), 'SECRET');
      const granted = join(yard.hidden, 'attachments');
      await mkdir(granted);
      await writeFile(join(granted, 'i'), 'picture');
      const { text } = await bash(`cat ${yard.hidden}/db; cat ${granted}/i; ls ${yard.hidden}`, {
        readable: [granted],
      });
      expect(text).not.toContain('SECRET');
      expect(text).toContain('picture');
      const inside = { hidden: [yard.cwd] };
      await writeFile(join(yard.cwd, 'db'), 'SECRET');
      expect((await bash('cat db', inside)).text).not.toContain('SECRET');
      const searched = await yard.run(
        'grep',
        { pattern: 'SECRET|picture', path: granted },
        { readable: [granted] },
        real,
      );
      expect(searched.text).toContain('picture');
    },
  );

  it.runIf(real.kind === 'bubblewrap')(
    'lets the network be used, and the cache be filled by a seat that writes',
    async () => {
      const server = createServer((socket) => socket.end('over the network')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const address = server.address();
        const port = typeof address === 'object' && address !== null ? address.port : 0;
        const commands = { ...yard.context().commands, cacheDir: yard.outside };
        const command = `cat < /dev/tcp/127.0.0.1/${port}; touch ${yard.outside}/cached`;
        expect((await bash(command, { commands })).text).toContain('over the network');
        expect(await readdir(yard.outside)).toEqual(['cached']);
        await bash(`rm ${yard.outside}/cached`, { commands, allowWrite: false });
        expect(await readdir(yard.outside)).toEqual(['cached']);
      } finally {
        server.close();
      }
    },
  );

  it.runIf(real.kind === 'bubblewrap')('that cannot be set up is told as that, and is no evidence', async () => {
    const outcome = await bash('true', {
      commands: { ...yard.context().commands, environment: { PATH: '/usr/bin:/bin' } },
      cwd: join(yard.cwd, 'gone'),
    });
    expect(outcome).toMatchObject({ status: 'failed', text: expect.stringContaining('could not be started') });
    expect(outcome.command).toBeUndefined();
  });

  it('has a profile for macOS in which the innermost directory decides', () => {
    const profile = seatbeltProfile({
      ...yard.context(),
      cwd: '/Users/a"b',
      hidden: ['/Users'],
      readable: [],
      cacheDir: null,
      scratch: '/s',
    });
    expect(profile.indexOf('(deny file-read* file-write* (subpath "/Users"))')).toBeGreaterThan(0);
    expect(profile.indexOf('(subpath "/Users/a\\"b")')).toBeGreaterThan(profile.indexOf('(subpath "/Users")'));
  });
});

describe('an excerpt', () => {
  it('holds beginning and end, whole characters, and never the whole', () => {
    const excerpt = new Excerpt(10, 10);
    for (let index = 0; index < 1_000; index++) excerpt.push(Buffer.from('üx€'));
    expect(excerpt.bytes).toBe(6_000);
    expect(excerpt.isCut).toBe(true);
    expect(excerpt.text()).toBe('üx€üx\n[… 5,980 bytes left out …]\nx€üx€');
    // Cut in the middle of characters at both ends.
    const odd = new Excerpt(4, 4);
    odd.push(Buffer.from('x€€x€€x'));
    expect(odd.text()).toBe('x€\n[… 7 bytes left out …]\n€x');
    const whole = new Excerpt(4, 4);
    for (const byte of Buffer.from('aü€b')) whole.push(Buffer.from([byte]));
    expect(whole.text()).toBe('aü€b');
  });
});
