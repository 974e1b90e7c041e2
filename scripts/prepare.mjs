import { ensurePackages, requireSupportedNode } from './bootstrap.mjs';
import { build } from './build.mjs';
import { ensureSystemPackages } from './debian.mjs';
import { hasDisplay } from './display.mjs';
import { findElectron } from './electron.mjs';
import { run } from './run.mjs';
import { sandboxSwitches } from './sandbox.mjs';

/**
 * Everything between a fresh clone and a window: packages, an Electron, what it needs of the system, the build.
 * @param {import('./steps.mjs').Steps} steps
 * @param {{ window: 'shown' | 'anywhere' }} options `anywhere`: on a virtual display where there is no other
 * @returns {Promise<{ electron: string, switches: string[] }>} the executable, and what Chromium must be told here
 */
export async function prepare(steps, { window }) {
  const { platform } = process;
  const isRoot = process.getuid?.() === 0;
  requireSupportedNode();
  await ensurePackages(steps);
  const electron = await steps.step('Find Electron', () => findElectron({ say: steps.say }));
  await steps.step('Check system libraries', () =>
    ensureSystemPackages({
      electron: electron.path,
      needsXvfb: window === 'anywhere' && !hasDisplay(process.env, platform),
      say: steps.say,
      env: process.env,
      isRoot,
      run,
    }),
  );
  const switches = await sandboxSwitches({ platform, isRoot, electron: electron.path, say: steps.say, run });
  const built = await build(steps);
  if (!built) steps.say('▸ Build: up to date');
  return { electron: electron.path, switches };
}
