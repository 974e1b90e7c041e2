import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { ensurePackages, requireSupportedNode } from './bootstrap.mjs';
import { build } from './build.mjs';
import { operatorEnvironment } from './operator-environment.mjs';
import { createSteps, main, ScriptError } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);

/** Runs the headless `parley`. Standard output is its data, so everything said here goes to standard error. */
await main(async () => {
  const steps = createSteps(process.stderr);
  requireSupportedNode();
  await ensurePackages(steps);
  await build(steps);
  const child = spawn(process.execPath, [path.join(ROOT, 'dist', 'main', 'cli.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: operatorEnvironment(process.env),
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new ScriptError(`parley could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + os.constants.signals[signal]));
  });
});
