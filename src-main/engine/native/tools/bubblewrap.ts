import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contains } from '../../files/index.ts';
import type { SandboxPlan } from './sandbox.ts';

type MountKind = 'write' | 'read' | 'hide';
interface Mount {
  readonly kind: MountKind;
  readonly path: string;
  /** What is seen there, when it is not what is there outside. */
  readonly source?: string;
}

/** Below /run lie the sockets of services that start processes for whoever asks, outside of any sandbox. */
const PRIVATE = ['/var/tmp', '/dev/shm', '/run'];

/**
 * The arguments for bubblewrap (0.8.0) in front of the command: everything can be read and nothing written, except cwd
 * on a seat that writes; /tmp is the seat's own; what is hidden is empty. The network stays: packages and documentation are
 * fetched by commands, and the operator is told. All of it ends with its first process.
 */
export async function bubblewrapArguments(plan: SandboxPlan, cwd: string, unset: readonly string[]): Promise<string[]> {
  return [
    // Even where Parley runs as root: the rights of root end at the namespace.
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...(await mountsOf(plan)).flatMap(mountArguments),
    ...unset.flatMap((name) => ['--unsetenv', name]),
    ...['--chdir', cwd],
  ];
}

/** Outer directories first: what is mounted later lies over it. Of two at one place the stricter is mounted last. */
async function mountsOf(plan: SandboxPlan): Promise<Mount[]> {
  const strictness = { write: 0, read: 1, hide: 2 };
  const temporary = temporaryDirectory(plan.scratch);
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const mounts: Mount[] = [
    { kind: 'write', path: '/tmp', source: temporary },
    ...[...PRIVATE, ...plan.hidden].map((path) => ({ kind: 'hide' as const, path })),
    ...[...plan.readable, ...(await nameServiceDirectories())].map((path) => ({ kind: 'read' as const, path })),
    { kind: plan.allowWrite ? 'write' : 'read', path: plan.cwd },
    ...(plan.allowWrite && plan.cacheDir !== null ? [{ kind: 'write' as const, path: plan.cacheDir }] : []),
  ];
  const there = await Promise.all(mounts.map(({ path }) => isDirectory(path)));
  return mounts
    .filter((_, index) => there[index])
    .sort((one, other) => one.path.length - other.path.length || strictness[one.kind] - strictness[other.kind]);
}

/** What a seat's commands find as /tmp: empty at first, and the same for all of them. */
export function temporaryDirectory(scratch: string): string {
  return join(scratch, 'tmp');
}

function mountArguments({ kind, path, source = path }: Mount): string[] {
  switch (kind) {
    case 'hide':
      return ['--tmpfs', path];
    case 'read':
      return ['--ro-bind', source, path];
    case 'write':
      return ['--bind', source, path];
  }
}

/** Where the name servers are told when /etc/resolv.conf is a link below /run, as systemd and NetworkManager make it. */
async function nameServiceDirectories(): Promise<string[]> {
  const file = await realpath('/etc/resolv.conf').catch(() => null);
  return file !== null && contains('/run', file) && dirname(file) !== '/run' ? [dirname(file)] : [];
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Reads what bubblewrap wrote to its status descriptor: it tells an exit code only of a command that ran. */
export function readBubblewrapStatus(status: string): 'done' | 'failed' {
  return status.includes('"exit-code"') ? 'done' : 'failed';
}
