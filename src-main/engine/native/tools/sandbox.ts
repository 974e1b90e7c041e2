import { readFile } from 'node:fs/promises';
import { never } from '../../../../src-shared/failure.ts';
import type { Grounds } from '../tool.ts';
import { bubblewrapArguments, readBubblewrapStatus } from './bubblewrap.ts';
import { seatbeltProfile } from './seatbelt.ts';

/** What commands run inside. Found once, by {@link findSandbox}, which has seen it work. */
export type Sandbox =
  | { readonly kind: 'bubblewrap'; readonly program: string }
  | { readonly kind: 'sandbox-exec'; readonly program: string }
  | { readonly kind: 'none' /** Why, as a clause that follows “because”. */; readonly why: string };

/** What a command may see and change. */
export interface SandboxPlan extends Grounds {
  /** A directory outside cwd that may be written, too, on a seat that writes. */
  readonly cacheDir: string | null;
  readonly scratch: string;
}

export interface Wrapped {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that are different inside. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Variables of services that are not reachable inside, or must not be: over a session bus anything can be started. */
const UNREACHABLE = ['DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'GPG_AGENT_INFO'];

/** The command line that runs a command inside the sandbox. `setUpPath` is where it may note that it was set up. */
export async function wrapCommand(
  sandbox: Sandbox,
  plan: SandboxPlan,
  command: { readonly program: string; readonly args: readonly string[]; readonly cwd: string },
  setUpPath: string,
): Promise<Wrapped> {
  const own = [command.program, ...command.args];
  switch (sandbox.kind) {
    case 'none':
      return { program: command.program, args: command.args, variables: {} };
    case 'bubblewrap': {
      const around = await bubblewrapArguments(plan, command.cwd, UNREACHABLE);
      // bubblewrap tells on a descriptor whether the command ran; the shell opens it and becomes bubblewrap.
      const inside = ['--json-status-fd', '3', ...around, '--', ...own];
      return {
        program: '/bin/sh',
        args: ['-c', 'exec "$@" 3>"$0"', setUpPath, sandbox.program, ...inside],
        variables: { TMPDIR: '/tmp' },
      };
    }
    case 'sandbox-exec':
      return {
        program: sandbox.program,
        args: ['-p', seatbeltProfile(plan), ...own],
        variables: { TMPDIR: plan.scratch },
      };
    default:
      return never(sandbox);
  }
}

/** Whether the sandbox was set up, so that the exit code is the command's; `unknown` where it does not tell. */
export async function readSetUp(sandbox: Sandbox, setUpPath: string): Promise<'done' | 'failed' | 'unknown'> {
  if (sandbox.kind !== 'bubblewrap') return 'unknown';
  return readBubblewrapStatus(await readFile(setUpPath, 'utf8').catch(() => ''));
}

/** Whether commands may run on a seat: on one that must not write only where the sandbox keeps them from it. */
export function mayRunCommands(sandbox: Sandbox, allowWrite: boolean): boolean {
  return allowWrite || sandbox.kind !== 'none';
}

/** What the sandbox leaves open, in sentences for the operator: part of the turn's receipt. */
export function sandboxCaveats(sandbox: Sandbox, allowWrite: boolean): string[] {
  if (sandbox.kind === 'none') {
    return [
      allowWrite
        ? `Commands run without a sandbox, because ${sandbox.why}: they can change whatever you can change.`
        : `This seat cannot run commands: it is read-only, and nothing keeps a command from writing, because ${sandbox.why}.`,
    ];
  }
  const writing = allowWrite ? 'can change the working directory only' : 'can change nothing';
  return [
    `Commands run in a sandbox (${sandbox.kind}): they ${writing}, can read what you can read, and can use the network.`,
  ];
}
