import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { mustRun, npmCommand } from './run.mjs';
import { changedSince, writeStamp } from './stamp.mjs';
import { ScriptError } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/**
 * A sentence when this Node cannot run Parley's tools; `null` when it can.
 * @param {string} version as `process.version`
 */
export function unsupportedNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  // What the build tool asks for: ^20.19 or >=22.12.
  const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  return supported ? null : `Parley needs Node 20.19 or newer, or 22.12 or newer; this is ${version}.`;
}

/** Ends the script with a sentence when this Node is not supported. */
export function requireSupportedNode() {
  const sentence = unsupportedNode(process.version);
  if (sentence !== null) throw new ScriptError(sentence);
}

/**
 * Installs the packages of a folder as its lockfile says, unless that was done already. Uses Node's own modules alone,
 * because it runs before anything is installed.
 * @param {import('./steps.mjs').Steps} steps
 * @param {string} [directory]
 */
export async function ensurePackages(steps, directory = ROOT) {
  const modules = path.join(directory, 'node_modules');
  const stampFile = path.join(modules, '.parley-lock');
  const state = await changedSince(stampFile, directory, ['package-lock.json']);
  if (!state.changed) return;
  const label = directory === ROOT ? 'Install packages' : `Install packages of ${path.relative(ROOT, directory)}`;
  if (await isInstalled(directory)) {
    // Installed by hand: nothing to fetch, and replacing it would pull files away from whoever uses them now.
    await writeStamp(stampFile, state.stamp);
    return;
  }
  await steps.step(label, async () => {
    // Electron's binary is found or fetched by scripts/electron.mjs; no other package needs an install script.
    const npm = npmCommand(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    await mustRun(npm.program, npm.args, { cwd: directory, timeoutMs: INSTALL_TIMEOUT_MS });
    await writeStamp(stampFile, state.stamp);
  });
}

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }>} LockedPackages */

/**
 * Whether what is installed is what the lockfile asks for. Optional packages are another platform's, mostly.
 * @param {string} directory
 */
async function isInstalled(directory) {
  const wanted = await lockedPackages(path.join(directory, 'package-lock.json'));
  // npm writes this one last, so a broken installation has none.
  const installed = await lockedPackages(path.join(directory, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([key, entry]) => {
    if (key === '' || entry.optional || entry.devOptional || entry.peer) return true;
    return installed[key]?.version === entry.version;
  });
}

/**
 * @param {string} file
 * @returns {Promise<LockedPackages | null>}
 */
async function lockedPackages(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    // Not there or not whole: then nothing is known to be installed.
    return null;
  }
}
