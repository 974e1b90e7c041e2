import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { changedSince, writeStamp } from './stamp.mjs';
import { createSteps, main } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);
const STAMP = path.join(ROOT, 'dist', '.built-from');
/** All that the build reads. */
const SOURCES = ['src-shared', 'src-main', 'src-renderer', 'vite.config.ts', 'package.json', 'package-lock.json'];
const TARGETS = ['main', 'preload', 'renderer'];

/**
 * Builds the three parts of the application if their sources changed since the last build.
 * @param {import('./steps.mjs').Steps} steps
 * @param {{ always?: boolean }} [options]
 * @returns {Promise<boolean>} whether something was built
 */
export async function build(steps, { always = false } = {}) {
  const state = await changedSince(STAMP, ROOT, SOURCES);
  if (!always && !state.changed) return false;
  await steps.step('Build', async () => {
    // Loaded late: this file is imported before `npm ci` has run.
    const vite = await import('vite');
    await rm(STAMP, { force: true });
    for (const mode of TARGETS) {
      await vite.build({ configFile: path.join(ROOT, 'vite.config.ts'), mode, logLevel: 'warn' });
    }
    await writeStamp(STAMP, state.stamp);
  });
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await build(createSteps(process.stderr), { always: true });
    return 0;
  });
}
