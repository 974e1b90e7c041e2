import { join } from 'node:path';
import type { Grant } from '../../../../src-shared/events.ts';
import type { CommandLine, Executable, Invocation, SeatTurn } from '../agent.ts';
import { attachmentDirectories } from '../directories.ts';
import { grantedDirectories, readOnlyRules, writingRules } from './permissions.ts';

/** Agents of opencode 1.18: the one that is told not to change anything, and the one it has by default. */
const READING_AGENT = 'plan';
const WRITING_AGENT = 'build';
const PROJECT_INSTRUCTIONS = 'AGENTS.md';

/**
 * The command line of one turn. Measured with opencode 1.18.33: the prompt is read whole from standard input when no
 * word of it is an argument; every option takes its value in the same word, so that no text can be taken for another.
 */
export function openCodeCommand(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine {
  const { allowWrite } = invocation;
  const resuming = invocation.sessions ? seat.sessionId : null;
  return {
    program: executable.program,
    args: [
      ...executable.args,
      'run',
      '--format=json',
      '--thinking',
      // Some failures have their reason only in the log: a model that is not there, for one.
      '--print-logs',
      '--log-level=ERROR',
      `--dir=${invocation.cwd}`,
      // What the operator's configuration asks about is allowed; what it denies stays denied.
      allowWrite ? '--auto' : `--agent=${READING_AGENT}`,
      ...(seat.model === null ? [] : [`--model=${seat.model}`]),
      ...(resuming === null ? [] : [`--session=${resuming}`]),
      ...seat.images.map(({ path }) => `--file=${path}`),
    ],
    stdin: 'prompt',
    env: { ...executable.env, ...environment(invocation) },
    grants: grantedDirectories(invocation).map(readGrant),
    routes: seat.images.map(() => 'flag'),
    caveats: caveats(invocation),
  };
}

/**
 * The rules stand in both places that opencode takes them from: those of an agent come after those for all agents, and
 * the operator's configuration may have some for this one. It may also have switched the agent off, and then another
 * would answer.
 */
function environment(invocation: Invocation): Record<string, string> {
  const { allowWrite } = invocation;
  const permission = allowWrite ? writingRules(invocation) : readOnlyRules(invocation);
  const config = allowWrite
    ? { agent: { [WRITING_AGENT]: { permission } } }
    : {
        agent: { [READING_AGENT]: { disable: false, mode: 'primary', permission } },
        // It is left out with the rest of the project's configuration, and does nothing but tell the model something.
        instructions: [join(invocation.cwd, PROJECT_INSTRUCTIONS)],
      };
  return {
    OPENCODE_PERMISSION: JSON.stringify(permission),
    // The model is told of a refusal and goes on; otherwise the turn would end there without an answer.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, experimental: { continue_loop_on_deny: true } }),
    // A turn is no time for a program to replace itself.
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    // The project's tools and MCP servers are programs, which no rule keeps from writing. Its plugins come all the same.
    ...(allowWrite ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: '1' }),
  };
}

function readGrant(directory: string): Grant {
  return {
    directory,
    right: 'read',
    reason: 'The attached images lie there, outside the working directory.',
    expressedAs: 'OPENCODE_PERMISSION',
  };
}

const UNSANDBOXED =
  'OpenCode runs commands without a sandbox: they can read and write whatever your account can, Parley’s data and the attachments of other conversations included. Only its file tools keep to the working directory.';
const UNASKED =
  'What your OpenCode configuration asks about is allowed here without a question; what it denies stays denied.';
const EXTENSIONS =
  'OpenCode starts the plugins in your own configuration and in a project’s .opencode folder as programs with your account’s rights, also for a seat that may only read. The project’s other configuration is left out there.';
const REPOSITORY =
  'In a git repository OpenCode takes the whole repository for the working directory, not only the directory you chose.';
const NOT_GRANTED =
  'The path of the attachments has a * or ?, which OpenCode would take for a pattern: the images are sent along, but it cannot open their files again.';

function caveats(invocation: Invocation): string[] {
  const isWhole = grantedDirectories(invocation).length === attachmentDirectories(invocation).length;
  return [
    ...(invocation.allowWrite ? [UNSANDBOXED, UNASKED] : [EXTENSIONS]),
    REPOSITORY,
    ...(isWhole ? [] : [NOT_GRANTED]),
  ];
}
