import { join } from 'node:path';
import type { Grant } from '../../../../src-shared/events.ts';
import type { CommandLine, Executable, Invocation, SeatTurn } from '../agent.ts';
import { attachmentDirectories, ownDirectories } from '../directories.ts';
import { canBeMentioned } from './mentions.ts';
import { isClaudeSessionId } from './session.ts';

/**
 * The prompt that stands before what comes from standard input, with a line break between them. Claude Code 2.1.197 takes
 * a prompt whose very first character is `/` for a command of its own, and never asks the model.
 */
const BEFORE_THE_PROMPT = ' ';

/** What writes; and what makes a worktree below the working directory without asking (Claude Code 2.1.197). */
const WRITING_TOOLS = ['Edit', 'Write', 'NotebookEdit', 'EnterWorktree'];

/**
 * The command line of one turn, the same for a first and a resumed one but for the session. Measured with Claude Code
 * 2.1.197: a value is joined to its option, since `--add-dir`, `--allowedTools` and `--disallowedTools` take every word
 * that follows, and `--resume` and `--model` what looks like an option.
 */
export function claudeCommand(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine {
  const resuming = invocation.sessions && isClaudeSessionId(seat.sessionId) ? seat.sessionId : null;
  const rights = invocation.allowWrite ? writingRights(invocation) : READING_RIGHTS;
  const directories = attachmentDirectories(invocation);
  return {
    program: executable.program,
    args: [
      ...executable.args,
      '-p',
      BEFORE_THE_PROMPT,
      '--output-format=stream-json',
      '--verbose',
      '--include-partial-messages',
      resuming === null ? `--session-id=${seat.mintedSessionId}` : `--resume=${resuming}`,
      ...rights.args,
      ...directories.map((directory) => `--add-dir=${directory}`),
      ...(seat.model === null ? [] : [`--model=${seat.model}`]),
    ],
    stdin: 'prompt',
    // A turn must not replace the program that the next turn is started from.
    env: { ...executable.env, DISABLE_AUTOUPDATER: '1' },
    grants: directories.map((directory): Grant => ({ directory, ...rights.grant })),
    // A path that cannot be mentioned still stands in the prompt, and the directory is granted to the `Read` tool.
    routes: seat.images.map(({ path }) => (canBeMentioned(path) ? 'mention' : 'tool')),
    caveats: rights.caveats,
  };
}

interface Rights {
  readonly args: readonly string[];
  readonly grant: Omit<Grant, 'directory'>;
  readonly caveats: readonly string[];
}

const REASON = 'The attached images lie there, outside the working directory.';

/**
 * Without the writing tools and without anyone to ask, Claude Code runs the commands that it knows to only read, inside
 * the working directory and what is granted. `Edit(//**)` denies the writing commands that it knows even where the
 * operator's settings allow every command. Hooks and MCP servers are programs that a working directory can bring along,
 * and they would be started unasked.
 */
const READING_RIGHTS: Rights = {
  args: [
    '--permission-mode=default',
    `--disallowedTools=${WRITING_TOOLS.join(',')}`,
    '--strict-mcp-config',
    settings({ disableAllHooks: true, permissions: { deny: ['Edit(//**)'] } }),
  ],
  grant: { right: 'read', reason: REASON, expressedAs: '--add-dir' },
  caveats: [
    'Commands that your own Claude Code settings allow are run without asking, even from a seat that cannot write.',
    'A helper that Claude Code gives a worktree of its own gets one below .claude/worktrees, for as long as it works.',
  ],
};

/**
 * `acceptEdits` lets the editing tools write in the working directory and in what is granted; commands are allowed
 * altogether, for there is nobody to ask. Denying `Edit` in Parley's own directories takes them out again, for the
 * editing tools and for the writing commands that Claude Code knows (`touch`, `rm`, `>`, …).
 */
function writingRights(invocation: Invocation): Rights {
  const deny = ownDirectories(invocation).map((directory) => `Edit(${everythingBelow(directory)})`);
  return {
    args: ['--permission-mode=acceptEdits', '--allowedTools=Bash', settings({ permissions: { deny } })],
    grant: { right: 'read', reason: REASON, expressedAs: '--add-dir, and Edit denied there' },
    caveats: [
      'Claude Code keeps its tools, and the commands that it understands, to the working directory and out of Parley’s data. It has no sandbox: a script that this seat runs can read and write whatever you can.',
      'Hooks and MCP servers that the working directory configures are started with it.',
    ],
  };
}

function settings(value: object): string {
  return `--settings=${JSON.stringify(value)}`;
}

/** A permission rule's pattern: two slashes begin an absolute path, and what means more than itself is escaped. */
function everythingBelow(directory: string): string {
  const literal = directory.replace(/[\\*?[\]{}!()#]/g, '\\$&');
  return `/${join(literal, '**')}`;
}
