import { spawn } from 'node:child_process';
import { ScriptError } from './steps.mjs';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string, timedOut: boolean }} Finished */

/**
 * Runs a program to its end. Never throws because of how it ended; a program that cannot be started has code `null`.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, show?: boolean, to?: 'stdout' | 'stderr' }} [options]
 *   `show` passes its output through (to stdout, or where `to` says) instead of collecting it
 * @returns {Promise<Finished>}
 */
export function run(program, args, options = {}) {
  const { cwd, env = process.env, timeoutMs, show = false, to = 'stdout' } = options;
  const out = to === 'stderr' ? 2 : 1;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env,
      stdio: show ? ['ignore', out, 2] : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: null, signal: null, output: error.message, timedOut });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, output, timedOut });
    });
  });
}

/**
 * Like {@link run}, but a bad end is a {@link ScriptError} with what the program printed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export async function mustRun(program, args, options) {
  const finished = await run(program, args, options);
  if (finished.code !== 0) {
    const how = finished.timedOut
      ? 'took too long'
      : finished.code === null && finished.signal === null
        ? 'could not be started'
        : `ended with ${finished.signal ?? `code ${finished.code}`}`;
    throw new ScriptError(`${program} ${args.join(' ')} ${how}.\n${finished.output}`.trimEnd());
  }
  return finished.output;
}

/**
 * How to call npm: through the npm that runs this script if there is one, else the one on PATH.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ program: string, args: string[] }}
 */
export function npmCommand(args, env = process.env) {
  const script = env.npm_execpath;
  if (script !== undefined && /npm-cli\.c?js$/.test(script))
    return { program: process.execPath, args: [script, ...args] };
  return { program: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [...args] };
}
