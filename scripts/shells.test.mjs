import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './run.mjs';
import { ensureShells } from './shells.mjs';

/** @type {string} */
let bin;
/** @type {string[]} */
let said;
beforeEach(async () => {
  bin = await mkdtemp(path.join(tmpdir(), 'parley-bin-'));
  said = [];
});
afterEach(() => rm(bin, { recursive: true }));

/**
 * @param {string} name
 * @param {string} [body] of a shell script
 */
async function program(name, body = 'exit 0') {
  const file = path.join(bin, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}

/** @param {boolean} isRoot */
const machine = (isRoot) => ({
  say: (/** @type {string} */ text) => said.push(text),
  env: { PATH: bin },
  isRoot,
  run,
});
const calls = async () => (await readFile(path.join(bin, 'calls'), 'utf8').catch(() => '')).trim().split('\n');

describe.runIf(process.platform !== 'win32')('ensureShells', () => {
  it('touches nothing when they are there', async () => {
    for (const name of ['zsh', 'fish']) await program(name);
    await program('apt-get', `echo "$@" >> ${bin}/calls`);
    await ensureShells(machine(true));
    expect(await calls()).toEqual(['']);
  });

  it('installs the one that lacks, and fetches the lists only when it must', async () => {
    await program('zsh');
    await program('apt-get', `echo "$@" >> ${bin}/calls; [ -e ${bin}/lists ] && exit 0; echo > ${bin}/lists; exit 100`);
    await ensureShells(machine(true));
    const [first, second, third] = await calls();
    expect(first).toMatch(/install .*fish$/);
    expect(first).not.toContain('zsh');
    expect(second).toContain('update');
    expect(third).toBe(first);
  });

  it('says what is not tested where it may not install', async () => {
    await program('apt-get', `echo "$@" >> ${bin}/calls`);
    await ensureShells(machine(false));
    expect(said.join()).toContain('without zsh and fish');
    expect(await calls()).toEqual(['']);
  });
});
