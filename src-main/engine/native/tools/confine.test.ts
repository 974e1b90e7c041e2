import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contains } from '../../files/index.ts';
import { openFile, WALKING } from './anchor.ts';
import { fileKey, type Place, resolvePlace, rootOf } from './confine.ts';
import { replaceFile } from './replace.ts';
import { makeYard, type Yard } from './tools.harness.ts';

let yard: Yard;
beforeEach(async () => {
  yard = await makeYard();
});
afterEach(() => yard.remove());

const signal = new AbortController().signal;
/** What both ways to walk have to do; the second is what there is where descriptors are no paths. */
const WAYS = [
  ...(WALKING.byDescriptor ? [{ name: 'by descriptor', byDescriptor: true }] : []),
  { name: 'by path', byDescriptor: false },
];

describe('where tools may go', () => {
  it('lets the innermost directory decide', () => {
    const grounds = {
      cwd: '/home/a',
      readable: ['/data/parley/attachments/c1'],
      hidden: ['/data/parley', '/home/a/.p'],
      allowWrite: true,
    };
    expect(rootOf('/home/a/x', grounds)).toMatchObject({ root: '/home/a', isWritable: true });
    expect(rootOf('/home/ab', grounds)).toBeNull();
    expect(rootOf('/data/parley/db', grounds)).toBeNull();
    expect(rootOf('/home/a/.p/db', grounds)).toBeNull();
    expect(rootOf('/data/parley/attachments/c1/i.png', grounds)).toMatchObject({ isWritable: false });
    expect(rootOf('/data/parley/attachments/c2/i.png', grounds)).toBeNull();
    expect(rootOf('/data/parley', { ...grounds, cwd: '/data/parley' })).toBeNull();
    expect(contains('/', '/etc')).toBe(true);
  });

  it('refuses what lies outside, however it is written, and does not tell whether it is there', async () => {
    await writeFile(join(yard.outside, 'secret'), 'SECRET');
    await writeFile(join(yard.hidden, 'db'), 'SECRET');
    await symlink(yard.outside, join(yard.cwd, 'away'));
    await symlink(join(yard.outside, 'secret'), join(yard.cwd, 'link'));
    await symlink('..', join(yard.cwd, 'up'));
    const paths = [
      '../outside/secret',
      join(yard.outside, 'secret'),
      'away/secret',
      'link',
      'up/outside/secret',
      '/etc/passwd',
      '../hidden/db',
      'x/../../outside/secret',
      'away/nothing',
      '/no/such/thing',
    ];
    for (const path of paths) {
      const outcome = await yard.run('read', { path });
      expect(outcome, path).toMatchObject({ status: 'denied' });
      expect(outcome.text).toContain('outside of what this seat may see');
      for (const tool of ['write', 'edit']) {
        const changed = await yard.run(
          tool,
          tool === 'write' ? { path, content: 'x' } : { path, old_string: 'S', new_string: 'x' },
        );
        expect(changed, `${tool} ${path}`).toMatchObject({ status: 'denied' });
      }
    }
    expect(await readFile(join(yard.outside, 'secret'), 'utf8')).toBe('SECRET');
    expect(await readdir(yard.outside)).toEqual(['secret']);
    expect(await yard.run('read', { path: 'a\0b' })).toMatchObject({
      status: 'denied',
      text: expect.stringContaining('NUL'),
    });
    expect(await yard.run('read', { path: 'x'.repeat(20_000) })).toMatchObject({ status: 'failed' });
    for (const tool of ['glob', 'grep', 'view_image']) {
      const where = { path: 'away', ...(tool === 'view_image' ? {} : { pattern: '*' }) };
      expect(await yard.run(tool, where)).toMatchObject({ status: 'denied' });
    }
  });

  it('follows links inside, and refuses those that lead nowhere', async () => {
    await mkdir(join(yard.cwd, 'real'));
    await writeFile(join(yard.cwd, 'real', 'a.txt'), 'inside');
    await symlink('real/a.txt', join(yard.cwd, 'link.txt'));
    await symlink(join(yard.outside, 'new'), join(yard.cwd, 'dangling'));
    await symlink('circle', join(yard.cwd, 'circle'));
    expect((await yard.run('read', { path: 'link.txt' })).text).toContain('inside');
    expect(await yard.run('write', { path: 'link.txt', content: 'new' })).toMatchObject({ status: 'ok' });
    expect(await readFile(join(yard.cwd, 'real', 'a.txt'), 'utf8')).toBe('new');
    expect(await realpath(join(yard.cwd, 'link.txt'))).toBe(join(yard.cwd, 'real', 'a.txt'));
    expect(await yard.run('write', { path: 'dangling', content: 'x' })).toMatchObject({ status: 'denied' });
    expect((await yard.run('read', { path: 'circle' })).text).toContain('circle');
    expect(await readdir(yard.outside)).toEqual([]);
  });

  it('lets grants be read and not written, and a read-only seat write nothing', async () => {
    const image = join(yard.readable, 'note.txt');
    await writeFile(image, 'granted');
    expect((await yard.run('read', { path: image })).text).toContain('granted');
    const context = yard.context({ allowWrite: false });
    const place = await resolvePlace('a.txt', context);
    expect(place.isWritable).toBe(false);
    expect(await yard.run('write', { path: image, content: 'x' })).toMatchObject({ status: 'denied' });
    expect(await readFile(image, 'utf8')).toBe('granted');
  });

  it('opens regular files only', async () => {
    execFileSync('mkfifo', [join(yard.cwd, 'fifo')]);
    const server = createServer().listen(join(yard.cwd, 'socket'));
    await once(server, 'listening');
    try {
      expect(await yard.run('read', { path: 'fifo' })).toMatchObject({
        status: 'denied',
        text: expect.stringContaining('FIFO'),
      });
      expect(await yard.run('read', { path: 'socket' })).toMatchObject({
        status: 'denied',
        text: expect.stringContaining('socket'),
      });
      expect(await yard.run('grep', { pattern: 'x', path: 'fifo' })).toMatchObject({ status: 'denied' });
      expect(await yard.run('write', { path: 'fifo', content: 'x' })).toMatchObject({ status: 'denied' });
      const devices = { readable: ['/dev'] };
      expect(await yard.run('read', { path: '/dev/zero' }, devices)).toMatchObject({
        status: 'denied',
        text: expect.stringContaining('device'),
      });
      expect((await yard.run('read', { path: '.' })).text).toContain('directory');
    } finally {
      server.close();
    }
  });

  it('has one key for every way to write a path', async () => {
    await symlink('real', join(yard.cwd, 'link'));
    await mkdir(join(yard.cwd, 'real'));
    const keys = ['real/new.txt', './real/../real/new.txt', 'link/new.txt', join(yard.cwd, 'real', 'NEW.txt')];
    expect(new Set(keys.map((path) => fileKey(path, yard.cwd))).size).toBe(1);
    expect(fileKey('real/other.txt', yard.cwd)).not.toBe(fileKey('real/new.txt', yard.cwd));
  });
});

describe.each(WAYS)('what happens between the check and the use, walking $name', (walking) => {
  const write = (place: Place) => replaceFile({ place, bytes: Buffer.from('written'), signal, readAs: null }, walking);

  it('does not follow a directory that has become a link', async () => {
    await mkdir(join(yard.cwd, 'sub', 'deep'), { recursive: true });
    await mkdir(join(yard.outside, 'deep'));
    for (const path of [join(yard.cwd, 'sub', 'deep', 'a'), join(yard.outside, 'deep', 'a')])
      await writeFile(path, 'before');
    const place = await resolvePlace('sub/deep/a', yard.context());
    await rename(join(yard.cwd, 'sub'), join(yard.cwd, 'moved'));
    await symlink(yard.outside, join(yard.cwd, 'sub'));
    await expect(openFile(place, walking)).rejects.toThrow('was replaced');
    await expect(write(place)).rejects.toThrow('was replaced');
    expect(await readFile(join(yard.outside, 'deep', 'a'), 'utf8')).toBe('before');
  });

  it('does not follow a file that has become a link', async () => {
    await writeFile(join(yard.cwd, 'a'), 'before');
    await writeFile(join(yard.outside, 'a'), 'before');
    const place = await resolvePlace('a', yard.context());
    await rm(join(yard.cwd, 'a'));
    await symlink(join(yard.outside, 'a'), join(yard.cwd, 'a'));
    await expect(openFile(place, walking)).rejects.toThrow('was replaced');
    await expect(write(place)).rejects.toThrow('was replaced');
    expect(await readFile(join(yard.outside, 'a'), 'utf8')).toBe('before');
    expect(await readdir(yard.cwd)).toEqual(['a']);
  });
});

/** Swaps a directory for a link to another one and back, as fast as it can, in a process of its own. */
const SWAP = `
  const fs = require('fs');
  const [directory, target] = process.argv.slice(2);
  process.send('ready');
  const end = Date.now() + 60000;
  while (Date.now() < end) {
    try {
      fs.renameSync(directory, directory + '.real');
      fs.symlinkSync(target, directory);
      fs.unlinkSync(directory);
      fs.renameSync(directory + '.real', directory);
    } catch {
      // A tool has made the directory anew in between: the next rounds clear it away.
      try {
        if (fs.existsSync(directory + '.real')) fs.rmSync(directory, { recursive: true, force: true });
        if (!fs.existsSync(directory)) fs.renameSync(directory + '.real', directory);
      } catch {}
    }
  }`;
const ROUNDS = 60;
const PATIENCE_MS = 20_000;

describe.runIf(WALKING.byDescriptor)('a directory that is swapped for a link all the time', () => {
  it('never leads outside, although a check by path does', async () => {
    const sub = join(yard.cwd, 'sub');
    await mkdir(sub);
    await writeFile(join(sub, 'a'), 'inside');
    await writeFile(join(yard.outside, 'a'), 'SECRET');
    await writeFile(join(yard.outside, 'only-outside'), '');
    // That it can go wrong at all: the usual check of a path, a swap, and then the use of the path.
    const checked = await realpath(join(sub, 'a'));
    expect(contains(yard.cwd, checked)).toBe(true);
    await rename(sub, join(yard.kept, 'sub'));
    await symlink(yard.outside, sub);
    expect(await readFile(join(sub, 'a'), 'utf8')).toBe('SECRET');
    await rm(sub);
    await rename(join(yard.kept, 'sub'), sub);

    const script = join(yard.kept, 'swap.cjs');
    await writeFile(script, SWAP);
    const attacker = fork(script, [sub, yard.outside]);
    const exited = once(attacker, 'exit');
    await once(attacker, 'message');
    try {
      const counts = { read: 0, refused: 0 };
      const end = Date.now() + PATIENCE_MS;
      // On a busy machine the other process may not get its turn for a while.
      const isMet = () => counts.read > 0 && counts.refused > 0;
      for (let round = 0; round < ROUNDS || (!isMet() && Date.now() < end); round++) {
        const seen = await yard.run('read', { path: 'sub/a' });
        if (seen.status === 'ok') counts.read++;
        else counts.refused++;
        expect(seen.text).not.toContain('SECRET');
        // Mostly refused: the directory has to be where it was until the very rename.
        await yard.run('write', { path: 'sub/a', content: 'inside' });
        expect((await yard.run('glob', { pattern: 'sub/**' })).text).not.toContain('only-outside');
      }
      expect(await readFile(join(yard.outside, 'a'), 'utf8')).toBe('SECRET');
      expect((await readdir(yard.outside)).sort()).toEqual(['a', 'only-outside']);
      // Both happened: the attack was met, and what was inside could be reached.
      expect(attacker.exitCode).toBeNull();
      expect(counts.refused).toBeGreaterThan(0);
      expect(counts.read).toBeGreaterThan(0);
    } finally {
      attacker.kill('SIGKILL');
      await exited;
    }
  });
});
