import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { KILL_GRACE_MS, TERM_GRACE_MS, TREE_CONFIRM_MS, TREE_POLL_MS } from './limits.ts';
import { listProcesses, type ProcessInfo, readProcessVariable, startedSince } from './processTable.ts';

/** The variable that every process of an invocation inherits; its value is the invocation's id. */
export const MARKER_VARIABLE = 'PARLEY_INVOCATION';

/** Names a process tree so that no other process can be mistaken for a part of it. */
export interface TreeIdentity {
  /** Its first process, and when that was started; `null` when it is not known. */
  readonly root: { readonly pid: number; readonly started: string } | null;
  readonly marker: string;
}

export interface TreeEnding {
  /** The processes that were ended, as `name (pid)`. */
  readonly ended: string[];
  /** Those that were still there after the last signal. */
  readonly left: string[];
}

const nameOf = (info: ProcessInfo) => `${info.name} (${info.pid})`;

/**
 * The living processes of a tree: those that carry its marker in their environment, wherever they have gone, and all
 * their descendants. The root counts only while its pid, its start time and its marker agree.
 */
export async function findTree(identity: TreeIdentity): Promise<ProcessInfo[]> {
  const { root } = identity;
  // Nothing that was there before the root belongs to its tree: of most processes the environment need not be read.
  const all = (await listProcesses()).filter(
    (info) => !info.zombie && info.pid !== process.pid && (root === null || startedSince(info, root.started)),
  );
  const members = new Map<number, ProcessInfo>();
  await Promise.all(
    all.map(async (info) => {
      if (root?.pid === info.pid && root.started !== info.started) return;
      if ((await readProcessVariable(info.pid, MARKER_VARIABLE)) === identity.marker) members.set(info.pid, info);
    }),
  );
  // A sandbox may hide a member's environment; what descends from a member is one too.
  const childrenOf = new Map<number, ProcessInfo[]>();
  for (const info of all) childrenOf.set(info.ppid, [...(childrenOf.get(info.ppid) ?? []), info]);
  const waiting = [...members.keys()];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of childrenOf.get(pid) ?? []) {
      if (members.has(child.pid)) continue;
      members.set(child.pid, child);
      waiting.push(child.pid);
    }
  }
  return [...members.values()];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime, or is not ours to end; the next look at the table tells which.
  }
}

/**
 * Ends a whole tree: asks first, then kills, and looks again after every signal, because a dying tree can still fork.
 * Comes back when it is gone, or with what would not go.
 */
export async function endTree(identity: TreeIdentity, graceMs: number = TERM_GRACE_MS): Promise<TreeEnding> {
  if (process.platform === 'win32') return endTreeOnWindows(identity);
  const seen = new Map<number, string>();
  const asked = new Set<number>();
  const start = performance.now();
  for (;;) {
    let living = await findTree(identity);
    if (living.length === 0 && seen.size > 0) {
      // A process that is just becoming another program shows no environment for a moment.
      await delay(TREE_CONFIRM_MS);
      living = await findTree(identity);
    }
    const elapsed = performance.now() - start;
    if (living.length === 0 || elapsed > graceMs + KILL_GRACE_MS) {
      const left = living.map(nameOf);
      return { ended: [...seen.values()].filter((text) => !left.includes(text)), left };
    }
    for (const info of living) {
      if (!seen.has(info.pid)) seen.set(info.pid, nameOf(info));
      if (elapsed >= graceMs) signal(info.pid, 'SIGKILL');
      else if (!asked.has(info.pid)) {
        asked.add(info.pid);
        signal(info.pid, 'SIGTERM');
        // One that is stopped does not see the request until it goes on.
        signal(info.pid, 'SIGCONT');
      }
    }
    await delay(TREE_POLL_MS);
  }
}

async function endTreeOnWindows(identity: TreeIdentity): Promise<TreeEnding> {
  if (identity.root === null) return { ended: [], left: [] };
  const killer = spawn('taskkill', ['/PID', String(identity.root.pid), '/T', '/F'], { windowsHide: true });
  const [code] = (await once(killer, 'exit')) as [number | null];
  const text = `process (${identity.root.pid})`;
  return code === 0 ? { ended: [text], left: [] } : { ended: [], left: [] };
}
