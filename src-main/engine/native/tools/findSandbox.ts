import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../process/index.ts';
import { runCommand } from './command.ts';
import { SANDBOX_PROBE_MS } from './limits.ts';
import type { Sandbox } from './sandbox.ts';

const found = new Map<string, Promise<Sandbox>>();

/**
 * The sandbox of this machine. One that is installed has to prove itself: user namespaces may be forbidden, and a
 * sandbox that lets a file be written is none. Asked once for each search path, as long as Parley runs.
 */
export function findSandbox(
  environment: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Promise<Sandbox> {
  const key = `${platform}:${environment.PATH ?? ''}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const asked = look(environment, platform);
  found.set(key, asked);
  return asked;
}

async function look(environment: Readonly<Record<string, string>>, platform: NodeJS.Platform): Promise<Sandbox> {
  switch (platform) {
    case 'linux': {
      const lookup = await findExecutable('bwrap', environment.PATH ?? '');
      if (lookup.kind === 'not-found') return { kind: 'none', why: 'bubblewrap (bwrap) is not installed' };
      return prove({ kind: 'bubblewrap', program: lookup.path }, environment);
    }
    case 'darwin':
      return prove({ kind: 'sandbox-exec', program: '/usr/bin/sandbox-exec' }, environment);
    default:
      return { kind: 'none', why: 'Parley knows no sandbox for this system' };
  }
}

/** Lets a command try to write where it may, and where it may not. */
async function prove(
  sandbox: Sandbox & { program: string },
  environment: Readonly<Record<string, string>>,
): Promise<Sandbox> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-sandbox-')));
  const [cwd, outside, scratch] = await Promise.all(
    ['cwd', 'outside', 'scratch'].map((name) => mkdtemp(join(base, name))),
  );
  if (cwd === undefined || outside === undefined || scratch === undefined) throw new Error('three were made');
  const grounds = { cwd, readable: [outside], hidden: [], allowWrite: true };
  let stderr = '';
  try {
    const end = await runCommand(
      {
        program: '/bin/sh',
        args: ['-c', 'echo in > inside && ! (echo out > "$0/file") 2>/dev/null', outside],
        cwd,
        setting: { environment, scratch, cacheDir: null },
        sandbox,
        plan: { ...grounds, cacheDir: null, scratch },
        wallMs: SANDBOX_PROBE_MS,
        idleMs: null,
        maxOutputBytes: 64 * 1024,
        signal: new AbortController().signal,
        graceMs: 0,
        onProcess: () => {},
        onOutput: (_, chunk) => {
          stderr = (stderr + chunk.toString('utf8')).slice(0, 200);
          return true;
        },
      },
      async (result) => result.end,
    );
    const holds = (await readdir(outside)).length === 0 && (await readdir(cwd)).length === 1;
    if (end.kind === 'exited' && end.code === 0 && holds) return sandbox;
    const said = stderr.trim().split('\n')[0] || (holds ? `it ended as ${end.kind}` : 'it let a file be written');
    return { kind: 'none', why: `${sandbox.kind} does not work here (${said})` };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}
