import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentType, fileBelow, streamFile } from './assets.ts';

let directory: string;
let root: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-assets-'));
  root = join(directory, 'renderer');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(root, 'index.html'), 'page');
  await writeFile(join(root, 'assets', 'ünicode name.js'), 'script');
  await writeFile(join(directory, 'secret.js'), 'secret');
  await mkdir(join(directory, 'renderer-beside'));
  await writeFile(join(directory, 'renderer-beside', 'a.js'), 'beside');
});
afterEach(() => rm(directory, { recursive: true }));

describe('fileBelow', () => {
  it('finds files, however their names are encoded', async () => {
    expect(await fileBelow(root, '/index.html')).toMatch(/renderer.index\.html$/);
    expect(await fileBelow(root, '/assets/%C3%BCnicode%20name.js')).toMatch(/name\.js$/);
  });

  it.each([
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/assets/../../secret.js',
    '/..%5csecret.js',
    '/../renderer-beside/a.js',
    '/%00index.html',
    '/%E0%A4%A',
    '/',
    '/assets',
    '/nothing.js',
  ])('has nothing at %s', async (path) => {
    expect(await fileBelow(root, path)).toBeNull();
  });

  it('does not follow a link out of the folder', async () => {
    await symlink(join(directory, 'secret.js'), join(root, 'link.js'));
    expect(await fileBelow(root, '/link.js')).toBeNull();
  });
});

it('only types that the window uses are served', () => {
  expect(contentType('/a/index.html')).toBe('text/html; charset=utf-8');
  expect(contentType('/a/B.JS')).toBe('text/javascript; charset=utf-8');
  expect(contentType('/a/main.mjs.map')).toBeNull();
  expect(contentType('/a/none')).toBeNull();
});

it('a streamed file arrives whole, and is closed at its end and when nobody wants the rest', async () => {
  const bytes = Buffer.alloc(1_000_003, 'abc');
  const file = join(directory, 'large');
  await writeFile(file, bytes);
  const whole = await open(file);
  expect(Buffer.from(await new Response(streamFile(whole)).arrayBuffer()).equals(bytes)).toBe(true);
  await expect(whole.stat()).rejects.toThrow();
  const given = await open(file);
  await streamFile(given).cancel();
  await expect(given.stat()).rejects.toThrow();
});
