import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cacheDirectory,
  cachedDevelopmentElectron,
  checkIntegrity,
  DEVELOPMENT_ELECTRON,
  developmentElectronDirectory,
} from './development-electron.mjs';

/** @type {string} */
let directory;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-cache-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the cache of the development Electron', () => {
  it('lies in the user’s cache directory, outside the working tree', () => {
    expect(cacheDirectory({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/parley');
    expect(cacheDirectory({})).toMatch(/[\\/]\.cache[\\/]parley$/);
  });

  it('is not used unless its last file was written, for this very build', async () => {
    const folder = developmentElectronDirectory(directory);
    expect(await cachedDevelopmentElectron(directory)).toBeNull();
    await mkdir(folder);
    await writeFile(path.join(folder, 'electron'), '');
    expect(await cachedDevelopmentElectron(directory)).toBeNull();
    await writeFile(path.join(folder, 'complete.json'), '{"integrity": "sha512-of-another"}');
    expect(await cachedDevelopmentElectron(directory)).toBeNull();
    await writeFile(path.join(folder, 'complete.json'), '{"integr');
    expect(await cachedDevelopmentElectron(directory)).toBeNull();
    await writeFile(path.join(folder, 'complete.json'), JSON.stringify(DEVELOPMENT_ELECTRON));
    expect(await cachedDevelopmentElectron(directory)).toBe(path.join(folder, 'electron'));
  });

  it('is not used when the executable is gone', async () => {
    const folder = developmentElectronDirectory(directory);
    await mkdir(folder);
    await writeFile(path.join(folder, 'complete.json'), JSON.stringify(DEVELOPMENT_ELECTRON));
    expect(await cachedDevelopmentElectron(directory)).toBeNull();
  });
});

describe('checkIntegrity', () => {
  it('takes the bytes that were pinned and refuses any other', async () => {
    const file = path.join(directory, 'package.tgz');
    // SHA-512 of "abc", from FIPS 180-2.
    const abc = 'sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==';
    await writeFile(file, 'abc');
    await expect(checkIntegrity(file, abc)).resolves.toBeUndefined();
    await writeFile(file, 'abd');
    await expect(checkIntegrity(file, abc)).rejects.toThrow(/not what was pinned/);
  });
});
