import { findOnPath } from './display.mjs';
import { mustRun, run } from './run.mjs';
import { ScriptError } from './steps.mjs';

/** What Electron 33 to 45 links against that a bare Debian 12 lacks; Debian 13 renamed some to `<name>t64`. */
const ELECTRON_PACKAGES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libatk-bridge2.0-0',
  'libcups2',
  'libdrm2',
  'libxshmfence1',
];
const DISPLAY_PACKAGES = ['xvfb', 'xauth'];
/** Without a face the window's text has no glyphs. */
const FONT_PACKAGES = ['fonts-dejavu-core'];

/**
 * The shared libraries that a program is linked against and that are not there.
 * @param {string} lddOutput what `ldd PROGRAM` printed
 */
export function missingLibraries(lddOutput) {
  return lddOutput
    .split('\n')
    .filter((line) => line.includes('=> not found'))
    .map((line) => line.trim().split(' ')[0] ?? line);
}

/**
 * @typedef {{
 *   electron: string,
 *   needsXvfb: boolean,
 *   say(text: string): void,
 *   env: NodeJS.ProcessEnv,
 *   isRoot: boolean,
 *   run: typeof run,
 * }} Machine
 */

/**
 * Looks for what the window needs from the system, and installs it where that can be done unasked.
 * @param {Machine} machine
 */
export async function ensureSystemPackages(machine) {
  if (process.platform !== 'linux') return;
  const lacking = await findLacking(machine);
  if (lacking.what.length === 0) return;
  const apt = await findOnPath('apt-get', machine.env);
  if (apt === null) {
    throw new ScriptError(
      `The window needs ${lacking.what.join(', ')}. Install the packages of your system that hold them ` +
        `(on Debian: ${lacking.packages.join(' ')}) and start again.`,
    );
  }
  if (!machine.isRoot) {
    throw new ScriptError(
      `The window needs ${lacking.what.join(', ')}. Run this and start again: ` +
        `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${lacking.packages.join(' ')}`,
    );
  }
  machine.say(`  missing: ${lacking.what.join(', ')}; installing Debian packages`);
  const env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' };
  await mustRun(apt, ['-o', 'DPkg::Lock::Timeout=300', 'update', '-qq'], { env });
  const names = [];
  for (const name of lacking.packages) names.push(await currentName(name, machine));
  await mustRun(apt, ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', ...names], {
    env,
  });
  const still = await findLacking(machine);
  if (still.what.length > 0) {
    throw new ScriptError(`The window still needs ${still.what.join(', ')} after installing ${names.join(' ')}.`);
  }
}

/**
 * @param {Machine} machine
 * @returns {Promise<{ what: string[], packages: string[] }>}
 */
async function findLacking(machine) {
  const what = [];
  const packages = [];
  if (machine.needsXvfb && (await findOnPath('Xvfb', machine.env)) === null) {
    what.push('Xvfb');
    packages.push(...DISPLAY_PACKAGES, ...FONT_PACKAGES);
  }
  const linked = await machine.run('ldd', [machine.electron], { env: machine.env });
  const libraries = missingLibraries(linked.output);
  if (libraries.length > 0) {
    what.push(...libraries);
    packages.push(...ELECTRON_PACKAGES);
  }
  return { what, packages };
}

/**
 * @param {string} name
 * @param {Machine} machine
 */
async function currentName(name, machine) {
  const renamed = await machine.run('apt-cache', ['show', '--quiet=0', `${name}t64`], { env: machine.env });
  return renamed.code === 0 ? `${name}t64` : name;
}
