import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { ScriptError } from './steps.mjs';

/** Large enough for every pane of the window side by side. */
const SCREEN = '1600x1000x24';
const START_TIMEOUT_MS = 20_000;

/**
 * Whether a window can be shown to somebody. Only Linux can be without.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
export function hasDisplay(env, platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>} the first file of that name on PATH
 */
export async function findOnPath(name, env) {
  for (const directory of (env.PATH ?? '').split(path.delimiter)) {
    if (directory === '') continue;
    const file = path.join(directory, name);
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return null;
}

/**
 * Starts an X server without a screen. It picks a free number itself and says which.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ display: string, close(): Promise<void> }>} `close` comes back when the server is gone
 */
export async function startDisplay(env = process.env) {
  const program = await findOnPath('Xvfb', env);
  if (program === null) throw new ScriptError('Xvfb is not installed (Debian package: xvfb), and there is no display.');
  // Without -noreset the server starts over when its last client leaves: one that connects in that moment is lost, and
  // hangs. Tests run several applications one after the other.
  const server = spawn(program, ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env,
  });
  const gone = new Promise((resolve) => server.once('close', () => resolve(undefined)));
  const endWithUs = () => server.kill('SIGKILL');
  process.once('exit', endWithUs);
  const close = async () => {
    process.off('exit', endWithUs);
    server.kill('SIGTERM');
    await gone;
  };
  try {
    const number = await announcedNumber(server);
    return { display: `:${number}`, close };
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string>}
 */
function announcedNumber(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    let complaint = '';
    const timer = setTimeout(
      () => reject(new ScriptError(`Xvfb did not start within ${START_TIMEOUT_MS / 1000} s.\n${complaint}`)),
      START_TIMEOUT_MS,
    );
    const announcements = server.stdio[3];
    announcements?.on('data', (chunk) => {
      said += String(chunk);
      if (!said.includes('\n')) return;
      clearTimeout(timer);
      resolve(said.trim());
    });
    server.stderr?.on('data', (chunk) => {
      complaint += String(chunk);
    });
    server.once('error', (error) => {
      clearTimeout(timer);
      reject(new ScriptError(`Xvfb could not be started: ${error.message}`));
    });
    server.once('exit', () => {
      clearTimeout(timer);
      reject(new ScriptError(`Xvfb ended before it was ready.\n${complaint}`));
    });
  });
}
