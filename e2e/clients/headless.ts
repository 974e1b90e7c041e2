import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { type SeatEvent, seatEvent } from '../../src-shared/events.ts';

const CLI = resolve(import.meta.dirname, '..', '..', 'dist', 'main', 'cli.mjs');

export interface ParleyResult {
  readonly code: number | null;
  readonly events: readonly SeatEvent[];
  readonly stderr: string;
}

/** A turn under way. */
export interface ParleyRun {
  /** Settles with the first event that `matches`; fails when the turn ends without one. */
  until(matches: (event: SeatEvent) => boolean): Promise<SeatEvent>;
  /** As Ctrl-C does. */
  interrupt(): void;
  readonly done: Promise<ParleyResult>;
}

/** Whatever starts Parley with the agent on its PATH. */
interface Setting {
  readonly env: Readonly<Record<string, string>>;
}

/** Starts one turn by the headless `parley run --json`, as a process of its own. */
export function startParley(
  home: string,
  setting: Setting,
  args: readonly string[],
  stdin: string | null = null,
): ParleyRun {
  const child = spawn(process.execPath, [CLI, 'run', '--json', ...args], {
    env: { ...process.env, ...setting.env, PARLEY_HOME: home },
  });
  const events: SeatEvent[] = [];
  const waiting = new Set<{ look(): boolean; fail(): void }>();
  let rest = '';
  let stderr = '';
  let ended = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') events.push(seatEvent.parse(JSON.parse(line)));
    for (const waiter of waiting) if (waiter.look()) waiting.delete(waiter);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const done = new Promise<ParleyResult>((settle, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      ended = true;
      for (const waiter of waiting) if (!waiter.look()) waiter.fail();
      settle({ code, events, stderr });
    });
  });
  child.stdin.end(stdin ?? '');
  return {
    done,
    interrupt: () => void child.kill('SIGINT'),
    until: (matches) =>
      new Promise((settle, failed) => {
        const look = () => {
          const found = events.find(matches);
          if (found !== undefined) settle(found);
          return found !== undefined;
        };
        const fail = () => failed(new Error(`the turn ended without such an event: ${stderr}`));
        if (look()) return;
        if (ended) fail();
        else waiting.add({ look, fail });
      }),
  };
}

/** One turn, to its end. */
export function runParley(
  home: string,
  setting: Setting,
  args: readonly string[],
  stdin: string | null = null,
): Promise<ParleyResult> {
  return startParley(home, setting, args, stdin).done;
}

/** Every event of a type. */
export function eventsOf<Type extends SeatEvent['type']>(
  events: readonly SeatEvent[],
  type: Type,
): Extract<SeatEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<SeatEvent, { type: Type }> => event.type === type);
}

/** The only event of a type. */
export function eventOf<Type extends SeatEvent['type']>(
  events: readonly SeatEvent[],
  type: Type,
): Extract<SeatEvent, { type: Type }> {
  const found = eventsOf(events, type);
  const [event] = found;
  if (event === undefined || found.length > 1) throw new Error(`${found.length} events of type ${type}`);
  return event;
}
