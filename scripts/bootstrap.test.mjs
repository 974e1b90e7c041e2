import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePackages, unsupportedNode } from './bootstrap.mjs';
import { run } from './run.mjs';
import { changedSince, writeStamp } from './stamp.mjs';
import { silentSteps } from './steps.mjs';

/** @type {string} */
let directory;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-bootstrap-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('only the Node versions that the tools take are supported', () => {
  for (const version of ['v20.19.0', 'v20.20.2', 'v22.12.0', 'v24.0.0'])
    expect(unsupportedNode(version), version).toBeNull();
  for (const version of ['v18.20.0', 'v20.18.1', 'v21.7.0', 'v22.11.0']) {
    expect(unsupportedNode(version), version).toContain(`this is ${version}`);
  }
});

it('npm start and npm test run up to their bootstrap without any package installed', async () => {
  // A copy without node_modules above it: what imports a package too early fails here as it would in a fresh clone.
  await cp(import.meta.dirname, path.join(directory, 'scripts'), { recursive: true });
  await writeFile(path.join(directory, 'package.json'), '{"type": "module"}');
  const scripts = (await readdir(import.meta.dirname)).filter((name) => name === 'start.mjs' || name === 'test.mjs');
  expect(scripts).toHaveLength(2);
  for (const script of scripts) {
    const finished = await run(process.execPath, [path.join(directory, 'scripts', script), '--help']);
    expect(finished, script).toMatchObject({ code: 0 });
  }
});

describe('ensurePackages', () => {
  const lock = (/** @type {string} */ version) =>
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/some': { version },
        'node_modules/other': { version: '1.0.0', optional: true },
      },
    });

  it('leaves alone what is installed as the lockfile says, and remembers that', async () => {
    await writeFile(path.join(directory, 'package-lock.json'), lock('1.0.0'));
    await mkdir(path.join(directory, 'node_modules'));
    await writeFile(
      path.join(directory, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/some': { version: '1.0.0' } } }),
    );
    await ensurePackages(silentSteps(), directory);
    expect(await readFile(path.join(directory, 'node_modules', '.parley-lock'), 'utf8')).toContain(process.version);
  });

  it('installs what the lockfile asks for', async () => {
    const dependency = path.join(directory, 'some');
    await mkdir(dependency);
    await writeFile(path.join(dependency, 'package.json'), '{"name": "some", "version": "1.0.0"}');
    await writeFile(path.join(directory, 'package.json'), '{"dependencies": {"some": "file:some"}}');
    const made = await run('npm', ['install', '--package-lock-only', '--offline'], { cwd: directory });
    expect(made).toMatchObject({ code: 0 });
    await ensurePackages(silentSteps(), directory);
    expect(await readdir(path.join(directory, 'node_modules'))).toEqual(
      expect.arrayContaining(['some', '.parley-lock']),
    );
  });
});

describe('a stamp', () => {
  it('changes with the content of a file, with a file that comes or goes, and with nothing else', async () => {
    const stampFile = path.join(directory, 'stamp');
    const source = path.join(directory, 'src');
    await mkdir(path.join(source, 'deep'), { recursive: true });
    await writeFile(path.join(source, 'deep', 'a.ts'), 'one');
    const look = () => changedSince(stampFile, directory, ['src', 'absent']);
    const first = await look();
    expect(first.changed).toBe(true);
    await writeStamp(stampFile, first.stamp);
    expect((await look()).changed).toBe(false);
    await writeFile(path.join(source, 'deep', 'a.ts'), 'two');
    expect((await look()).changed).toBe(true);
    await writeFile(path.join(source, 'deep', 'a.ts'), 'one');
    expect((await look()).changed).toBe(false);
    await writeFile(path.join(source, 'b.ts'), '');
    expect((await look()).changed).toBe(true);
  });
});
