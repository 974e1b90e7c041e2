import type { SandboxPlan } from './sandbox.ts';

/**
 * A profile for macOS's sandbox-exec, in its own language; of several rules that fit, the last one counts. Written by
 * the system's own profiles and not yet tried on a Mac: `findSandbox` uses it only where it has seen that it holds.
 * Unlike bubblewrap's, /tmp is not private: the scratch directory takes its place.
 */
export function seatbeltProfile(plan: SandboxPlan): string {
  const rules = [
    ...plan.hidden.map((path) => ({ path, rule: `(deny file-read* file-write* ${subpath(path)})` })),
    ...plan.readable.map((path) => ({ path, rule: `(allow file-read* ${subpath(path)})` })),
    { path: plan.cwd, rule: `(allow file-read*${plan.allowWrite ? ' file-write*' : ''} ${subpath(plan.cwd)})` },
    ...(plan.allowWrite && plan.cacheDir !== null
      ? [{ path: plan.cacheDir, rule: `(allow file-read* file-write* ${subpath(plan.cacheDir)})` }]
      : []),
    { path: plan.scratch, rule: `(allow file-read* file-write* ${subpath(plan.scratch)})` },
  ].sort((one, other) => one.path.length - other.path.length);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
    ...rules.map(({ rule }) => rule),
  ].join('\n');
}

function subpath(path: string): string {
  return `(subpath "${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}")`;
}
