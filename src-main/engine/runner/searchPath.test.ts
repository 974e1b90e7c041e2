import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchPath } from './searchPath.ts';

let home: string;
const opened: SearchPath[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-search-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await rm(home, { recursive: true });
});

/** A login shell that says nothing until somebody writes to its pipe, and then puts `~/late` first. */
async function slowShell(): Promise<{ shell: string; release(): Promise<void> }> {
  const shell = join(home, 'slow');
  const gate = join(home, 'gate');
  execFileSync('mkfifo', [gate]);
  await writeFile(
    shell,
    `#!/bin/sh\nread -r line < '${gate}'\nexport PATH="$HOME/late:$PATH"\nshift 3\neval "$1"\nexec sleep 60\n`,
  );
  await chmod(shell, 0o755);
  // Writing to a pipe waits for its reader.
  return { shell, release: () => writeFile(gate, 'go\n') };
}

function open(env: Record<string, string>, patienceMs = 50): SearchPath {
  const path = new SearchPath({ env: { HOME: home, PATH: '/usr/bin', ...env }, askLoginShell: true, patienceMs });
  opened.push(path);
  return path;
}

describe('SearchPath', () => {
  it('goes on without a shell that is slow, says so, and takes what it says later', async () => {
    const { shell, release } = await slowShell();
    const path = open({ SHELL: shell });
    expect((await path.path()).split(':')[0]).toBe('/usr/bin');
    expect(await path.search()).toMatchObject({ loginShell: 'waiting', shell });
    expect(path.warning).toContain(shell);
    await release();
    await vi.waitFor(async () => expect(await path.search()).toMatchObject({ loginShell: 'asked' }), 5_000);
    expect((await path.path()).split(':').slice(0, 2)).toEqual([join(home, 'late'), '/usr/bin']);
    expect(path.warning).toBeNull();
  });

  it('asks once, however many want to know', async () => {
    const { shell, release } = await slowShell();
    const path = open({ SHELL: shell }, 10_000);
    const asked = [path.path(), path.path(), path.search().then((search) => search.path.join(':'))];
    await release();
    const answers = new Set(await Promise.all(asked));
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain(join(home, 'late'));
  });

  it('says that a shell did not answer, and keeps what one said before', async () => {
    const shell = join(home, 'shell');
    const write = async (body: string) => {
      await writeFile(shell, `#!/bin/sh\n${body}\n`);
      await chmod(shell, 0o755);
    };
    await write('exit 1');
    const path = open({ SHELL: shell }, 10_000);
    await path.path();
    expect(await path.search()).toMatchObject({ loginShell: 'no-answer' });
    expect(path.warning).toContain('did not say its PATH');

    await write('export PATH="$HOME/now:$PATH"; shift 3; eval "$1"');
    expect(await path.path(true)).toContain(join(home, 'now'));
    expect(path.warning).toBeNull();

    await write('exit 1');
    expect(await path.path(true)).toContain(join(home, 'now'));
    expect(await path.search()).toMatchObject({ loginShell: 'no-answer' });
  });

  it('asks nobody where there is nobody to ask', async () => {
    const path = open({});
    expect(await path.search()).toMatchObject({ loginShell: 'not-asked', shell: null });
    expect(path.warning).toBeNull();
  });

  it('searches known directories last, those that are there', async () => {
    const there = [
      '.claude/local',
      '.opencode/bin',
      '.nvm/versions/node/v9.0.0/bin',
      '.nvm/versions/node/v22.1.0/bin',
      '.npm-own/bin',
      '.asdf/shims',
    ];
    for (const name of there) await mkdir(join(home, name), { recursive: true });
    await writeFile(join(home, '.npmrc'), 'registry=http://r\nprefix = ~/.npm-own\n');
    const directories = (await open({}).path()).split(':');
    expect(directories[0]).toBe('/usr/bin');
    const own = directories.filter((directory) => directory.startsWith(home)).map((one) => one.slice(home.length + 1));
    expect(own).toEqual([
      '.claude/local',
      '.opencode/bin',
      '.npm-own/bin',
      '.asdf/shims',
      '.nvm/versions/node/v22.1.0/bin',
      '.nvm/versions/node/v9.0.0/bin',
    ]);
  });
});
