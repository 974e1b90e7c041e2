import { stat } from 'node:fs/promises';
import path from 'node:path';
import { mustRun } from './run.mjs';

const POSTINSTALL_TIMEOUT_MS = 2 * 60_000;
/** Until its install script has run, a few lines that say so stand in the place of the program. */
const SMALLEST_PROGRAM_BYTES = 1024 * 1024;

/**
 * Puts OpenCode's program for this machine in place, unless it is there. Packages are installed without their install
 * scripts, and of the real clients only this one (opencode-ai 1.18.33) does not work without.
 * @param {import('./steps.mjs').Steps} steps
 * @param {string} directory where the clients are installed
 */
export async function ensureOpenCode(steps, directory) {
  const root = path.join(directory, 'node_modules', 'opencode-ai');
  if (await isThere(path.join(root, 'bin', 'opencode.exe'))) return;
  await steps.step('Put OpenCode’s program in place', () =>
    mustRun(process.execPath, [path.join(root, 'postinstall.mjs')], { cwd: root, timeoutMs: POSTINSTALL_TIMEOUT_MS }),
  );
}

/** @param {string} program */
async function isThere(program) {
  try {
    return (await stat(program)).size >= SMALLEST_PROGRAM_BYTES;
  } catch {
    // Not even the placeholder: the install script says what is wrong.
    return false;
  }
}
