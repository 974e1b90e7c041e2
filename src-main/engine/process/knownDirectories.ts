import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Versions of Node of which a version manager's programs are looked at, newest first. */
const MAX_NODE_VERSIONS = 8;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where CLIs are commonly installed, as far as it is there; searched after PATH. Version managers, package managers and
 * the places of the CLIs' own installers; what has to be run to be asked (`npm prefix`) is not.
 */
export async function knownDirectories(env: Variables, home: string = homedir()): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const at = (variable: string, ...otherwise: string[]) => env[variable] || join(home, ...otherwise);
  const candidates = [
    join(home, '.local', 'bin'),
    join(home, 'bin'),
    // The installers of Claude Code and of OpenCode.
    join(home, '.claude', 'local'),
    join(home, '.opencode', 'bin'),
    ...(await npmPrefixes(env, home)).map((prefix) => join(prefix, 'bin')),
    join(home, '.npm-global', 'bin'),
    join(at('VOLTA_HOME', '.volta'), 'bin'),
    join(at('ASDF_DATA_DIR', '.asdf'), 'shims'),
    join(at('MISE_DATA_DIR', '.local', 'share', 'mise'), 'shims'),
    join(at('FNM_DIR', '.local', 'share', 'fnm'), 'aliases', 'default', 'bin'),
    join(home, 'Library', 'Application Support', 'fnm', 'aliases', 'default', 'bin'),
    ...(await nodeVersions(join(at('NVM_DIR', '.nvm'), 'versions', 'node'))),
    at('PNPM_HOME', '.local', 'share', 'pnpm'),
    join(home, 'Library', 'pnpm'),
    join(home, '.yarn', 'bin'),
    join(at('BUN_INSTALL', '.bun'), 'bin'),
    join(at('DENO_INSTALL', '.deno'), 'bin'),
    join(at('CARGO_HOME', '.cargo'), 'bin'),
    join(home, 'go', 'bin'),
    join(home, '.nix-profile', 'bin'),
    '/run/current-system/sw/bin',
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/snap/bin',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
  const there = await Promise.all(candidates.map(isDirectory));
  return candidates.filter((candidate, index) => isAbsolute(candidate) && there[index] === true);
}

/** Where `npm install -g` puts things, by what the operator set it to. */
async function npmPrefixes(env: Variables, home: string): Promise<string[]> {
  const named = env.NPM_CONFIG_PREFIX ?? env.npm_config_prefix;
  const configuration = await readFile(env.NPM_CONFIG_USERCONFIG || join(home, '.npmrc'), 'utf8').catch(() => '');
  const written = /^\s*prefix\s*=\s*(.+?)\s*$/m.exec(configuration)?.[1];
  return [named, written].flatMap((prefix) => {
    const path = prefix?.replace(/^["']|["']$/g, '').replace(/^(~|\$\{HOME\})(?=\/)/, home);
    return path === undefined || path === '' ? [] : [path];
  });
}

/** The programs of each version of Node below a directory, newest first. */
async function nodeVersions(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => /^v\d+\.\d+\.\d+$/.test(name))
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .slice(0, MAX_NODE_VERSIONS)
    .map((name) => join(directory, name, 'bin'));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Not there, or not ours to look at: nothing can be found in it.
    return false;
  }
}
