import { expect, it } from 'vitest';
import { sandboxSwitches } from './sandbox.mjs';

/** @param {{ code: number | null, isRoot?: boolean, platform?: NodeJS.Platform }} given how `unshare` ends */
function at({ code, isRoot = false, platform = 'linux' }) {
  /** @type {string[]} */
  const said = [];
  const finished = { code, signal: null, output: '', timedOut: false };
  const say = (/** @type {string} */ text) => {
    said.push(text);
  };
  return { said, at: { platform, isRoot, electron: '/nowhere/electron', say, run: async () => finished } };
}

it('only root goes without Chromium’s sandbox, and is told', async () => {
  const root = at({ code: 0, isRoot: true });
  expect(await sandboxSwitches(root.at)).toEqual(['--no-sandbox']);
  expect(root.said.join()).toContain('--no-sandbox');
  const user = at({ code: 0 });
  expect(await sandboxSwitches(user.at)).toEqual([]);
  expect(user.said).toEqual([]);
  expect(await sandboxSwitches(at({ code: 0, isRoot: true, platform: 'darwin' }).at)).toEqual([]);
});

it('a system where the sandbox cannot be set up is told how to allow it, never left without it', async () => {
  await expect(sandboxSwitches(at({ code: 1 }).at)).rejects.toThrow(
    /sudo chown root:root '\/nowhere\/chrome-sandbox' && sudo chmod 4755 '\/nowhere\/chrome-sandbox'/,
  );
});

it('where that cannot be asked, Chromium may try', async () => {
  expect(await sandboxSwitches(at({ code: null }).at)).toEqual([]);
});
