import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askLoginShell, askVersion, findExecutable } from './index.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-path-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function script(name: string, body: string) {
  const path = join(directory, name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('askLoginShell', () => {
  it('finds the PATH in what a noisy shell prints', async () => {
    const shell = await script(
      'noisy',
      'echo PATH=/noise; export PATH=/from/rc:$PATH; shift 3; eval "$1"; echo more noise',
    );
    const path = await askLoginShell({ SHELL: shell, PATH: '/usr/bin:/bin' });
    expect(path).toBe('/from/rc:/usr/bin:/bin');
  });

  it('gives up on a shell that does not answer in time, and leaves nothing of it', async () => {
    const shell = await script('slow', 'exec sleep 600');
    expect(await askLoginShell({ SHELL: shell, PATH: '/usr/bin:/bin' }, { timeoutMs: 200 })).toBeNull();
  });

  it('lets a shell that is too slow clean up after itself', async () => {
    const left = join(directory, 'cleaned-up');
    const body = `trap 'echo done > ${left}; exit' HUP; while :; do sleep 0.05; done`;
    expect(
      await askLoginShell({ SHELL: await script('locking', body), PATH: '/usr/bin:/bin' }, { timeoutMs: 1_000 }),
    ).toBeNull();
    await vi.waitFor(async () => expect(await readFile(left, 'utf8')).toBe('done\n'), 5_000);
  });

  it('has no answer without a shell, or with one that is not there', async () => {
    expect(await askLoginShell({})).toBeNull();
    expect(await askLoginShell({ SHELL: join(directory, 'missing') })).toBeNull();
  });
});

describe('findExecutable', () => {
  it('takes the first executable file and skips directories and plain files', async () => {
    const path = await script('agent', 'echo "agent-cli 1.2.3"');
    await writeFile(join(directory, 'plain'), '');
    expect(await findExecutable('agent', `/nowhere:${directory}`)).toEqual({ kind: 'found', path });
    expect(await findExecutable('plain', directory)).toEqual({ kind: 'not-found', searched: [directory] });
    expect(await findExecutable(directory, '')).toEqual({ kind: 'not-found', searched: [directory] });
  });

  it('reads a version out of what the program says', async () => {
    const path = await script('agent', 'echo "agent-cli 1.2.3-beta.1 (x)"');
    expect(await askVersion(path, ['--version'], {})).toBe('1.2.3-beta.1');
    expect(await askVersion(await script('mute', 'exit 1'), [], {})).toBeNull();
  });
});
