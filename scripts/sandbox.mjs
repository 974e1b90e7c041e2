import { stat } from 'node:fs/promises';
import path from 'node:path';
import { run } from './run.mjs';
import { ScriptError } from './steps.mjs';

/** @typedef {{ platform: NodeJS.Platform, isRoot: boolean, electron: string, say(text: string): void, run: typeof run }} Sandboxing */

/**
 * The switches that Chromium's own sandbox makes necessary here: none, except as root. Where neither of the two ways to
 * set the sandbox up works, Chromium would abort with a stack; a sentence says what to do instead.
 * @param {Sandboxing} at
 * @returns {Promise<string[]>}
 */
export async function sandboxSwitches(at) {
  if (at.platform !== 'linux') return [];
  if (at.isRoot) {
    at.say('  running as root: Chromium refuses its own sandbox then, so --no-sandbox is passed');
    return ['--no-sandbox'];
  }
  const namespaces = await at.run('unshare', ['--user', '--map-root-user', 'true']);
  // Not installed: nothing is known, so Chromium may try.
  if (namespaces.code === 0 || (namespaces.code === null && namespaces.signal === null)) return [];
  const helper = path.join(path.dirname(at.electron), 'chrome-sandbox');
  if (await isSetuidRoot(helper)) return [];
  throw new ScriptError(
    'This system lets ordinary users make no user namespaces, so Chromium cannot set up its sandbox. ' +
      `Run this once and start again: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
  );
}

/** @param {string} file */
async function isSetuidRoot(file) {
  const found = await stat(file).catch(() => null);
  return found !== null && found.uid === 0 && (found.mode & 0o4000) !== 0;
}
