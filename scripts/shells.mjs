import { findOnPath } from './display.mjs';

/** Shells that operators have and that a bare Debian lacks; about 20 MB with what they need. */
const SHELLS = ['zsh', 'fish'];

/**
 * @typedef {{ say(text: string): void, env: NodeJS.ProcessEnv, isRoot: boolean, run: typeof import('./run.mjs').run }} Machine
 */

/**
 * Sees to the shells that the tests ask for their PATH. Where they cannot be installed unasked, those tests say so
 * themselves: skipped on a developer's machine, failed on CI.
 * @param {Machine} machine
 */
export async function ensureShells({ say, env, isRoot, run }) {
  /** @type {string[]} */
  const lacking = [];
  for (const shell of SHELLS) if ((await findOnPath(shell, env)) === null) lacking.push(shell);
  if (lacking.length === 0) return;
  const apt = await findOnPath('apt-get', env);
  if (apt === null || !isRoot) {
    say(`  without ${lacking.join(' and ')}: how they tell their PATH is not tested here`);
    return;
  }
  say(`  missing: ${lacking.join(', ')}; installing Debian packages`);
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-o', 'DPkg::Lock::Timeout=300'];
  const install = () =>
    run(apt, [...options, 'install', '-y', '-qq', '--no-install-recommends', ...lacking], { env: aptEnv });
  // The lists may be there already; fetching them takes longer than the packages.
  if ((await install()).code === 0) return;
  await run(apt, [...options, 'update', '-qq'], { env: aptEnv });
  const { code, output } = await install();
  if (code !== 0) say(`  ${lacking.join(' and ')} could not be installed:\n${output.trimEnd()}`);
}
