import { ensurePackages, requireSupportedNode } from './bootstrap.mjs';
import { build } from './build.mjs';
import { ensureSystemPackages } from './debian.mjs';
import { hasDisplay } from './display.mjs';
import { findElectron } from './electron.mjs';
import { run } from './run.mjs';

/**
 * Everything between a fresh clone and a window: packages, an Electron, what it needs of the system, the build.
 * @param {import('./steps.mjs').Steps} steps
 * @param {{ window: 'shown' | 'anywhere' }} options `anywhere`: on a virtual display where there is no other
 * @returns {Promise<{ electron: string }>}
 */
export async function prepare(steps, { window }) {
  requireSupportedNode();
  await ensurePackages(steps);
  const electron = await steps.step('Find Electron', () => findElectron({ say: steps.say }));
  await steps.step('Check system libraries', () =>
    ensureSystemPackages({
      electron: electron.path,
      needsXvfb: window === 'anywhere' && !hasDisplay(process.env, process.platform),
      say: steps.say,
      env: process.env,
      isRoot: process.getuid?.() === 0,
      run,
    }),
  );
  const built = await build(steps);
  if (!built) steps.say('▸ Build: up to date');
  return { electron: electron.path };
}

/**
 * The switches that Chromium needs on this machine.
 * @param {(text: string) => void} say
 */
export function chromiumSwitches(say) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  say('  running as root: Chromium refuses its own sandbox then, so --no-sandbox is passed');
  return ['--no-sandbox'];
}
