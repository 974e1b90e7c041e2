import { join } from 'node:path';
import type { Grant } from '../../../../src-shared/events.ts';
import { ParleyError } from '../../../../src-shared/failure.ts';
import { contains } from '../../files/index.ts';
import type { CommandLine, Executable, Invocation, SeatTurn } from '../agent.ts';
import { attachmentDirectories, ownDirectories } from '../directories.ts';
import { readOnlyPolicy, writingPolicy } from './policy.ts';
import { hasEscapedMention, isMentionable } from './promptText.ts';

/** gemini-cli 0.61 splits lists of directories and of policy files at commas and knows no escape for them. */
const LIST_SEPARATOR = ',';
/** What gemini-cli 0.61 reads of its standard input; it cuts the rest off. */
const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
const POLICY_ENDING = '.policy.toml';

/**
 * The command line of one turn. Measured with gemini-cli 0.61: the prompt comes by standard input, so that no text can
 * be taken for an option and none is too long for an argument; a resumed turn has the mode and the directories that it is
 * given, so each names them.
 * @throws ParleyError `unnameable-path` when the CLI cannot be given the rules that make a seat read-only
 */
export function geminiCommand(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine {
  const directories = attachmentDirectories(invocation);
  const granted = directories.filter((directory) => !directory.includes(LIST_SEPARATOR));
  const policy = join(invocation.artifactsDir, `${invocation.stem}${POLICY_ENDING}`);
  const hasPolicy = !policy.includes(LIST_SEPARATOR);
  // Without its rules the CLI's plan mode can be left by the model, so the seat would not be read-only.
  if (!invocation.allowWrite && !hasPolicy) throw new ParleyError('unnameable-path', UNNAMEABLE_POLICY);
  const own = ownDirectories(invocation);
  const text = invocation.allowWrite ? writingPolicy(own, invocation.cwd) : readOnlyPolicy();
  const resuming = invocation.sessions ? seat.sessionId : null;
  return {
    program: executable.program,
    args: [
      ...executable.args,
      '--output-format',
      'stream-json',
      // Without it the CLI ends in a directory that it was not told to trust. The directory's own settings stay unread.
      '--skip-trust',
      '--approval-mode',
      invocation.allowWrite ? 'yolo' : 'plan',
      ...(hasPolicy ? ['--admin-policy', policy] : []),
      ...granted.flatMap((directory) => ['--include-directories', directory]),
      ...(seat.model === null ? [] : [`--model=${seat.model}`]),
      resuming === null ? `--session-id=${seat.mintedSessionId}` : `--resume=${resuming}`,
    ],
    stdin: 'prompt',
    env: executable.env,
    grants: granted.map(readGrant),
    routes: seat.images.map(({ path }) => (isReachable(path, [...granted, invocation.cwd]) ? 'mention' : 'tool')),
    caveats: caveats(invocation, directories.length - granted.length),
    files: hasPolicy ? [{ ending: POLICY_ENDING, text }] : [],
  };
}

const UNNAMEABLE_POLICY =
  'the path of its data directory has a comma, so Gemini CLI cannot be given the rules of a read-only seat';

function isReachable(path: string, directories: readonly string[]): boolean {
  return isMentionable(path) && directories.some((directory) => contains(directory, path));
}

function readGrant(directory: string): Grant {
  return {
    directory,
    right: 'read',
    reason: 'The attached images lie there, outside the working directory.',
    expressedAs: '--include-directories',
  };
}

function caveats(invocation: Invocation, ungranted: number): string[] {
  return [
    invocation.allowWrite ? UNSANDBOXED : SYSTEM_RULES,
    TRUSTED,
    ...(ungranted > 0 ? [NOT_GRANTED] : []),
    ...(hasEscapedMention(invocation.prompt) ? [ESCAPED] : []),
    ...(Buffer.byteLength(invocation.prompt) > MAX_PROMPT_BYTES ? [CUT_OFF] : []),
  ];
}

const UNSANDBOXED =
  'Gemini CLI runs commands without a sandbox: they can write wherever you can, in Parley’s own data too. Only its file tools are kept to the working directory.';
const SYSTEM_RULES =
  'Gemini CLI passes over the rules that keep this seat from writing where the machine has rules of its own (in /etc/gemini-cli/policies).';
const TRUSTED =
  'Where you trust this directory in Gemini CLI itself, hooks and MCP servers that its .gemini/settings.json names are started, whatever this seat may do.';
const NOT_GRANTED =
  'The attached images lie in a directory with a comma in its path, which Gemini CLI cannot be given: it cannot open them.';
const ESCAPED = 'Gemini CLI takes “@name” for a file to attach, so the model sees “\\@name” where the text has that.';
const CUT_OFF = 'Gemini CLI reads 8 MiB of a message; the rest of this one is cut off.';
