import type { Grant } from '../../../../src-shared/events.ts';
import { contains } from '../../files/index.ts';
import type { CommandLine, Executable, Invocation, SeatTurn } from '../agent.ts';
import { attachmentDirectories, ownDirectories } from '../directories.ts';

/** codex-cli 0.171 splits what follows `-i` at commas and knows no escape for them. */
const IMAGE_SEPARATOR = ',';
/** What codex-cli 0.171 lets a command write in its workspace-write mode, beside the working directory. */
const TEMPORARY_DIRECTORY = '/tmp';
/** Where macOS keeps what is called `/tmp`. */
const TEMPORARY_DIRECTORIES = [TEMPORARY_DIRECTORY, '/private/tmp'];
/** The name under which Parley's own permission profile is told to Codex. */
const PROFILE = 'parley';

/**
 * The command line of one turn. Measured with codex-cli 0.171: every option of `exec` stands before `resume`, so that a
 * resumed turn has the sandbox it is given and not the one it was opened with; the prompt is `-`, read from standard
 * input, so that no text can be taken for an option.
 */
export function codexCommand(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine {
  const images = seat.images.map(({ path }) => ({ path, byFlag: !path.includes(IMAGE_SEPARATOR) }));
  const flags = images.filter(({ byFlag }) => byFlag).flatMap(({ path }) => ['-i', path]);
  const resuming = invocation.sessions ? seat.sessionId : null;
  const sandbox = invocation.allowWrite ? writingSandbox(invocation) : READ_ONLY;
  return {
    program: executable.program,
    args: [
      ...executable.args,
      'exec',
      '--json',
      '--skip-git-repo-check',
      // `exec -i` takes every word up to the next option, the `-` for the prompt included; `resume -i` takes one.
      ...(resuming === null ? flags : []),
      '-C',
      invocation.cwd,
      ...sandbox.args,
      '-c',
      'approval_policy="never"',
      ...(seat.model === null ? [] : [`--model=${seat.model}`]),
      ...(resuming === null ? [] : ['resume', resuming, ...flags]),
      '-',
    ],
    stdin: 'prompt',
    env: { ...executable.env, ...sandbox.env },
    grants: [...readGrants(invocation), ...sandbox.grants],
    // Without the flag Codex can still open the path that the prompt names, with its `view_image` tool.
    routes: images.map(({ byFlag }) => (byFlag ? 'flag' : 'tool')),
    caveats: [READS_EVERYWHERE],
  };
}

/** codex-cli 0.171, in every sandbox mode. */
const READS_EVERYWHERE =
  'Codex can read files outside the working directory; its sandbox confines only what it writes, and its network.';

interface Sandbox {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly grants: readonly Grant[];
}

const READ_ONLY: Sandbox = { args: ['-s', 'read-only'], env: {}, grants: [] };

/**
 * `workspace-write` lets commands write the working directory, `/tmp` and `$TMPDIR`, since builds need a place for
 * temporary files. `TMPDIR` is set to `/tmp`, so that these two are all there is. Where Parley's own data lies in one of
 * them, the same rights are given by a permission profile that leaves the data readable only: `-s` would outrank it.
 */
function writingSandbox(invocation: Invocation): Sandbox {
  const posix = invocation.cwd.startsWith('/');
  const env: Record<string, string> = posix ? { TMPDIR: TEMPORARY_DIRECTORY } : {};
  const own = ownDirectories(invocation);
  const writable = posix ? [invocation.cwd, ...TEMPORARY_DIRECTORIES] : [invocation.cwd];
  const exposed = own.filter((directory) => writable.some((root) => contains(root, directory)));
  if (exposed.length === 0) {
    return { args: ['-s', 'workspace-write'], env, grants: posix ? [temporaryGrant('-s workspace-write')] : [] };
  }
  const rights = exposed.map((directory) => `${tomlString(directory)}="read"`).join(', ');
  return {
    args: [
      '-c',
      `default_permissions="${PROFILE}"`,
      '-c',
      `permissions.${PROFILE}={extends=":workspace", filesystem={${rights}}}`,
    ],
    env,
    grants: posix ? [temporaryGrant(`-c permissions.${PROFILE}`)] : [],
  };
}

function temporaryGrant(expressedAs: string): Grant {
  return {
    directory: TEMPORARY_DIRECTORY,
    right: 'write',
    reason: 'Builds and tools keep temporary files there; a seat that can write has it from Codex’s own sandbox.',
    expressedAs,
  };
}

/** Codex reads outside cwd in every mode, so nothing has to be widened; the operator is told all the same. */
function readGrants(invocation: Invocation): Grant[] {
  return attachmentDirectories(invocation).map((directory) => ({
    directory,
    right: 'read',
    reason: 'The attached images lie there, outside the working directory.',
    expressedAs: 'none needed',
  }));
}

/** A JSON string is a TOML basic string, but for the one control character that JSON leaves as it is. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
