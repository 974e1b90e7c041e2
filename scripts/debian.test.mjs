import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureSystemPackages, missingLibraries } from './debian.mjs';
import { run } from './run.mjs';

const LDD_GOOD = '\tlinux-vdso.so.1 (0x00007ffd)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n';
const LDD_BAD = `${LDD_GOOD}\tlibgtk-3.so.0 => not found\n\tlibnss3.so => not found\n`;

/** @type {string} */
let bin;
beforeEach(async () => {
  bin = await mkdtemp(path.join(tmpdir(), 'parley-bin-'));
});
afterEach(() => rm(bin, { recursive: true }));

/**
 * @param {string} name
 * @param {string} body of a shell script
 */
async function program(name, body = 'exit 0') {
  const file = path.join(bin, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

/** @param {Partial<import('./debian.mjs').Machine>} [overrides] */
function machine(overrides) {
  return {
    electron: '/electron',
    needsXvfb: false,
    say: () => {},
    env: { PATH: `${bin}:/usr/bin:/bin` },
    isRoot: true,
    run,
    ...overrides,
  };
}

it('missingLibraries names what the linker did not find', () => {
  expect(missingLibraries(LDD_GOOD)).toEqual([]);
  expect(missingLibraries(LDD_BAD)).toEqual(['libgtk-3.so.0', 'libnss3.so']);
});

describe.runIf(process.platform === 'linux')('ensureSystemPackages', () => {
  it('touches nothing when nothing is missing', async () => {
    await program('ldd', `printf '${LDD_GOOD}'`);
    await program('Xvfb');
    await program('apt-get', `touch ${bin}/called`);
    await ensureSystemPackages(machine({ needsXvfb: true, isRoot: false }));
    expect((await run('ls', [bin])).output).not.toContain('called');
  });

  it('gives an ordinary user the exact command', async () => {
    await program('ldd', `printf '${LDD_BAD}'`);
    await program('apt-get');
    await expect(ensureSystemPackages(machine({ isRoot: false }))).rejects.toThrow(
      /needs libgtk-3\.so\.0, libnss3\.so\. Run this and start again: sudo apt-get update && sudo apt-get install .*libgtk-3-0 libnss3/,
    );
  });

  it('asks for Xvfb only where there is no display', async () => {
    await program('ldd', `printf '${LDD_GOOD}'`);
    await program('apt-get');
    const env = { PATH: bin };
    await expect(ensureSystemPackages(machine({ env, isRoot: false, needsXvfb: false }))).resolves.toBeUndefined();
    await expect(ensureSystemPackages(machine({ env, isRoot: false, needsXvfb: true }))).rejects.toThrow(
      /needs Xvfb\. .*apt-get install .*xvfb/,
    );
  });

  it('says what to look for where there is no apt', async () => {
    await program('ldd', `printf '${LDD_BAD}'`);
    await expect(ensureSystemPackages(machine({ env: { PATH: bin } }))).rejects.toThrow(
      /Install the packages of your system that hold them \(on Debian: libgtk-3-0/,
    );
  });

  it('installs as root, by the names that this Debian has', async () => {
    const installed = path.join(bin, 'installed');
    await program('ldd', `if [ -e ${installed} ]; then printf '${LDD_GOOD}'; else printf '${LDD_BAD}'; fi`);
    await program('apt-cache', 'case "$*" in *libasound2t64*|*libgtk-3-0t64*) exit 0;; *) exit 100;; esac');
    await program('apt-get', `case "$*" in *update*) ;; *) echo "$@" > ${installed};; esac`);
    await ensureSystemPackages(machine());
    const { output } = await run('cat', [installed]);
    expect(output).toContain('libgtk-3-0t64 libnss3 libasound2t64 libgbm1');
  });

  it('does not pretend when installing did not help', async () => {
    await program('ldd', `printf '${LDD_BAD}'`);
    await program('apt-cache', 'exit 100');
    await program('apt-get');
    await expect(ensureSystemPackages(machine())).rejects.toThrow(/still needs libgtk-3\.so\.0/);
  });
});
