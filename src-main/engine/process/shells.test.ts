import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askLoginShell, findExecutable } from './index.ts';

/** Real shells with real start files. `npm test` installs them where it may; on CI one that lacks is a failure. */

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const ON_CI = process.env.CI !== undefined;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-shell-'));
});
afterEach(() => rm(home, { recursive: true, maxRetries: 5 }));

async function startFiles(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function pathOf(shell: string): Promise<string | null> {
  const found = await findExecutable(shell, SYSTEM_PATH);
  if (found.kind === 'not-found') throw new Error(`there is no ${shell}`);
  return askLoginShell({ SHELL: found.path, HOME: home, PATH: SYSTEM_PATH, LANG: 'C.UTF-8' }, { timeoutMs: 15_000 });
}

/** The directory that start files put first, by its place below home. */
const first = (path: string | null) => path?.split(delimiter)[0]?.replace(`${home}/`, '');

const hasShell = async (name: string) => (await findExecutable(name, SYSTEM_PATH)).kind === 'found';
const hasZsh = await hasShell('zsh');
const hasFish = await hasShell('fish');

const MOTD = `printf '\\033]0;title\\007\\033[1;31mWelcome\\033[0m\\n'; echo PATH=/from/the/motd; echo 'no newline' | tr -d '\\n'`;

describe('a real bash', () => {
  it('is heard through messages, escape sequences, traces, and what it says at its end', async () => {
    await startFiles({
      '.bash_profile': `. "$HOME/.bashrc"; trap '${MOTD}' EXIT`,
      '.bashrc': `${MOTD}; export PATH="$HOME/with blank:$PATH"; BASH_XTRACEFD=1; set -x; false`,
      '.bash_logout': MOTD,
    });
    expect(first(await pathOf('bash'))).toBe('with blank');
  });

  it('is not waited for when something that it started keeps its output open', async () => {
    await startFiles({ '.bash_profile': 'export PATH="$HOME/tools:$PATH"; sleep 3 & disown' });
    expect(first(await pathOf('bash'))).toBe('tools');
  });

  it('finds nobody who answers its questions, and goes on', async () => {
    await startFiles({
      '.bash_profile':
        'read -r -p "Update? " answer; read -r other </dev/tty; cat >/dev/null; export PATH="$HOME/asked$answer:$PATH"',
    });
    expect(first(await pathOf('bash'))).toBe('asked');
  });

  it('is asked without its interactive files when these end it', async () => {
    await startFiles({
      '.bash_profile': 'export PATH="$HOME/login:$PATH"; [[ $- == *i* ]] && . "$HOME/.bashrc"',
      '.bashrc': '[ -t 0 ] || exit 3',
    });
    expect(first(await pathOf('bash'))).toBe('login');
  });

  it('may put another shell in its place', async () => {
    await startFiles({ '.bash_profile': 'export PATH="$HOME/before:$PATH"; exec sh' });
    expect(first(await pathOf('bash'))).toBe('before');
  });

  it('has a variable that looks like PATH in another one', async () => {
    await startFiles({
      '.bash_profile':
        'export A=$\'x\\nPATH=/wrong\'; f() { PATH=/also/wrong; }; export -f f; PATH="$HOME/right:$PATH"',
    });
    expect(first(await pathOf('bash'))).toBe('right');
  });

  it('is hung up on when nobody listens any more', async () => {
    await startFiles({ '.bash_profile': 'sleep 20' });
    const controller = new AbortController();
    const asked = askLoginShell(
      { SHELL: '/bin/bash', HOME: home, PATH: SYSTEM_PATH },
      { timeoutMs: 60_000, signal: controller.signal },
    );
    controller.abort();
    expect(await asked).toBeNull();
  });
});

describe.skipIf(!hasZsh && !ON_CI)('a real zsh', () => {
  it('reads all of its start files, however noisy they are', async () => {
    await startFiles({
      '.zshenv': `path=("$HOME/env" $path)`,
      '.zprofile': `${MOTD}; path=("$HOME/profile" $path)`,
      '.zshrc': `${MOTD}; precmd() { ${MOTD} }; preexec() { ${MOTD} }; path=("$HOME/rc" $path); setopt xtrace; false`,
      '.zlogin': `${MOTD}; read -q "answer?Update? "`,
      '.zlogout': MOTD,
    });
    const path = await pathOf('zsh');
    expect(path?.split(delimiter).slice(0, 3)).toEqual(['rc', 'profile', 'env'].map((name) => join(home, name)));
  });
});

describe.skipIf(!hasFish && !ON_CI)('a real fish', () => {
  it('tells its list of directories as other programs get it', async () => {
    await startFiles({
      '.config/fish/config.fish': `${MOTD}\nset -gx PATH "$HOME/fish one" $PATH\nfunction fish_greeting; ${MOTD}; end\nfalse`,
      'fish one/keep': '',
    });
    expect(first(await pathOf('fish'))).toBe('fish one');
  });

  it('is heard when bash has put it in its place', async () => {
    await startFiles({
      '.bash_profile': '. "$HOME/.bashrc"',
      '.bashrc': '[[ $- == *i* ]] && exec fish',
      '.config/fish/config.fish': 'set -gx PATH "$HOME/from-fish" $PATH',
    });
    expect(first(await pathOf('bash'))).toBe('from-fish');
  });
});
