import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEVELOPMENT_ELECTRON, developmentElectronDirectory } from './development-electron.mjs';
import { resolveElectron } from './electron.mjs';

/** @type {string} */
let directory;
/** @type {string} */
let cache;
/** @type {string} */
let packageDirectory;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-electron-'));
  cache = path.join(directory, 'cache');
  packageDirectory = path.join(directory, 'package');
  await mkdir(packageDirectory);
});
afterEach(() => rm(directory, { recursive: true }));

/** @param {Partial<import('./electron.mjs').Surroundings>} [overrides] */
function surroundings(overrides) {
  /** @type {string[]} */
  const said = [];
  const at = {
    env: {},
    platform: /** @type {const} */ ('linux'),
    packageDirectory,
    cache,
    now: Date.now(),
    say: (/** @type {string} */ text) => {
      said.push(text);
    },
    download: () => Promise.reject(new Error('no download was expected')),
    makeDevelopment: () => Promise.reject(new Error('no substitute was expected')),
    ...overrides,
  };
  return { at, said };
}

async function installPackageBinary() {
  await mkdir(path.join(packageDirectory, 'dist'), { recursive: true });
  await writeFile(path.join(packageDirectory, 'dist', 'electron'), '');
  await writeFile(path.join(packageDirectory, 'path.txt'), 'electron');
  return path.join(packageDirectory, 'dist', 'electron');
}

/** @param {{ complete: boolean }} state */
async function fillCache({ complete }) {
  const folder = developmentElectronDirectory(cache);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'electron'), '');
  if (complete) await writeFile(path.join(folder, 'complete.json'), JSON.stringify(DEVELOPMENT_ELECTRON));
  return path.join(folder, 'electron');
}

describe('which Electron is taken', () => {
  it('an executable that the environment names, before all else', async () => {
    await installPackageBinary();
    const named = path.join(directory, 'my-electron');
    await writeFile(named, '');
    for (const variable of ['PARLEY_ELECTRON', 'ELECTRON_OVERRIDE_DIST_PATH']) {
      const { at } = surroundings({ env: { [variable]: named } });
      expect(await resolveElectron(at)).toEqual({ path: named, from: 'environment' });
    }
  });

  it('a folder that the environment names, by the executable in it on each platform', async () => {
    const executables = { linux: 'electron', win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' };
    for (const [platform, executable] of Object.entries(executables)) {
      const file = path.join(directory, platform, executable);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, '');
      const { at } = surroundings({
        env: { PARLEY_ELECTRON: path.join(directory, platform) },
        platform: /** @type {NodeJS.Platform} */ (platform),
      });
      expect((await resolveElectron(at)).path).toBe(file);
    }
  });

  it('none other when the one that the environment names is not there', async () => {
    await installPackageBinary();
    const { at } = surroundings({ env: { PARLEY_ELECTRON: path.join(directory, 'nothing') } });
    await expect(resolveElectron(at)).rejects.toThrow(/PARLEY_ELECTRON names .*nothing, which does not exist/);
    const empty = surroundings({ env: { PARLEY_ELECTRON: packageDirectory } });
    await expect(resolveElectron(empty.at)).rejects.toThrow(/there is no electron in it/);
  });

  it('the installed package’s own binary, before a cached substitute', async () => {
    await fillCache({ complete: true });
    const installed = await installPackageBinary();
    expect(await resolveElectron(surroundings().at)).toEqual({ path: installed, from: 'package' });
  });

  it('the official download, before the substitute', async () => {
    const { at } = surroundings({
      download: async () => {
        await installPackageBinary();
        return true;
      },
    });
    expect((await resolveElectron(at)).from).toBe('download');
  });

  it('the substitute where the download fails, with a warning', async () => {
    const { at, said } = surroundings({
      download: async () => false,
      makeDevelopment: async () => '/made/electron',
    });
    expect(await resolveElectron(at)).toEqual({ path: '/made/electron', from: 'development' });
    expect(said.join('\n')).toContain('for development and tests only');
  });

  it('a package whose binary was not unpacked whole counts as none', async () => {
    await writeFile(path.join(packageDirectory, 'path.txt'), 'electron');
    const { at } = surroundings({ download: async () => false, makeDevelopment: async () => '/made/electron' });
    expect((await resolveElectron(at)).from).toBe('development');
  });

  it('the cached substitute at once while a failed download is recent, and the download again after a day', async () => {
    const cached = await fillCache({ complete: true });
    let downloads = 0;
    const download = async () => {
      downloads += 1;
      return false;
    };
    const { at } = surroundings({ download });
    expect((await resolveElectron(at)).path).toBe(cached);
    expect((await resolveElectron(at)).path).toBe(cached);
    expect(downloads).toBe(1);
    const old = new Date(Date.now() - 25 * 60 * 60_000);
    await utimes(path.join(cache, 'electron-download-failed'), old, old);
    await resolveElectron(at);
    expect(downloads).toBe(2);
  });

  it('never a half-written cache', async () => {
    const half = await fillCache({ complete: false });
    const { at } = surroundings({ download: async () => false, makeDevelopment: async () => '/made/electron' });
    const found = await resolveElectron(at);
    expect(found.path).toBe('/made/electron');
    expect(found.path).not.toBe(half);
  });
});
