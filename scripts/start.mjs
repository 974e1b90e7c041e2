import { spawn } from 'node:child_process';
import path from 'node:path';
import { hasDisplay, startDisplay } from './display.mjs';
import { operatorEnvironment } from './operator-environment.mjs';
import { prepare } from './prepare.mjs';
import { createSteps, main, ScriptError } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);

const USAGE = `npm start                opens the workbench; without a display, plays the demonstration
npm start -- --demo      plays a first conversation with the Guide in a real window`;

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown !== undefined) throw new ScriptError(`npm start does not know ${unknown}.\n${USAGE}`);

  const steps = createSteps();
  const shown = hasDisplay(process.env, process.platform);
  const demo = args.includes('--demo') || !shown;
  const { electron, switches } = await prepare(steps, { window: demo ? 'anywhere' : 'shown' });
  if (!demo) return openWorkbench(electron, switches, steps.say);

  if (!shown) {
    steps.say(
      'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so nobody could see the workbench.',
    );
    steps.say('Instead, a first conversation with the Guide is played in a real window on a virtual display.');
  }
  const display = shown ? null : await startDisplay();
  try {
    const env = { ...operatorEnvironment(process.env), ...(display === null ? {} : { DISPLAY: display.display }) };
    // Loaded late: it needs the packages that prepare() installs.
    const { playDemo } = await import('./demo.mjs');
    await playDemo({ electron, switches, env, steps });
    return 0;
  } finally {
    await display?.close();
  }
});

/**
 * @param {string} electron
 * @param {string[]} switches
 * @param {(text: string) => void} say
 * @returns {Promise<number>} the application's exit code
 */
function openWorkbench(electron, switches, say) {
  say('▸ Open the workbench');
  const child = spawn(electron, [...switches, ROOT], {
    stdio: 'inherit',
    env: operatorEnvironment(process.env),
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new ScriptError(`${electron} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
    // The workbench asks before it ends what runs; this script only waits for it.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
  });
}
