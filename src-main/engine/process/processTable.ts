import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One process. `started` is opaque: equal for the same process, different once the pid is used again. */
export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** The session it belongs to; a child that was started with its own session leads it, `session === pid`. */
  readonly session: number;
  readonly started: string;
  readonly name: string;
  /** Whether it has ended and only waits for its parent to notice. */
  readonly zombie: boolean;
}

const run = promisify(execFile);

/** Every process of this machine that can be seen. Linux reads `/proc`, macOS asks `ps`. */
export async function listProcesses(): Promise<ProcessInfo[]> {
  if (process.platform === 'linux') return listFromProc();
  if (process.platform === 'win32') return [];
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,sess=,stat=,lstart=,comm='], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => parsePsLine(line) ?? []);
}

/** One process, or `null` when there is none with this pid. */
export async function findProcess(pid: number): Promise<ProcessInfo | null> {
  if (process.platform === 'linux') return readStat(pid);
  return (await listProcesses()).find((candidate) => candidate.pid === pid) ?? null;
}

/** The value of variable `name` in the environment a process was started with; `null` if unset or not readable. */
export async function readProcessVariable(pid: number, name: string): Promise<string | null> {
  if (process.platform === 'linux') {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const entry = environment.split('\0').find((candidate) => candidate.startsWith(`${name}=`));
    return entry === undefined ? null : entry.slice(name.length + 1);
  }
  if (process.platform === 'win32') return null;
  const { stdout } = await run('ps', ['-p', String(pid), '-wwE', '-o', 'command=']).catch(() => ({ stdout: '' }));
  // Values hold no blank here: the marker is an id.
  return new RegExp(`(?:^|\\s)${name}=(\\S*)`).exec(stdout)?.[1] ?? null;
}

async function listFromProc(): Promise<ProcessInfo[]> {
  const names = await readdir('/proc');
  return names.filter((name) => /^\d+$/.test(name)).flatMap((name) => readStat(Number(name)) ?? []);
}

/** Synchronous: the kernel answers from memory at once, and a trip through the thread pool costs ten times as much. */
function readStat(pid: number): ProcessInfo | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // A process that ended between the listing and this read is simply not there.
    return null;
  }
}

/**
 * Whether a process can have been started by one that was started at `since`. Only what was started earlier is ruled out;
 * `true` where the platform's times cannot be compared.
 */
export function startedSince(info: ProcessInfo, since: string): boolean {
  // Clock ticks since the machine started (proc(5)).
  return process.platform !== 'linux' || Number(info.started) >= Number(since);
}

/** Parses `/proc/<pid>/stat`; the name stands in parentheses and may itself hold blanks and parentheses (proc(5)). */
export function parseStat(stat: string): ProcessInfo | null {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open === -1 || close === -1) return null;
  const fields = stat.slice(close + 2).split(' ');
  const [state, ppid, , session] = fields;
  const started = fields[19];
  if (state === undefined || ppid === undefined || session === undefined || started === undefined) return null;
  return {
    pid: Number(stat.slice(0, open)),
    ppid: Number(ppid),
    session: Number(session),
    started,
    name: stat.slice(open + 1, close),
    zombie: state === 'Z' || state === 'X',
  };
}

function parsePsLine(line: string): ProcessInfo | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
  if (match === null) return null;
  const [, pid, ppid, session, stat, started, command] = match;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    session: Number(session) || 0,
    started: started ?? '',
    name: (command ?? '').split('/').at(-1) ?? '',
    zombie: stat?.startsWith('Z') ?? false,
  };
}
