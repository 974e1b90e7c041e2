import { spawn } from 'node:child_process';
import { COMMAND_TIMEOUT_MS, MAX_COMMAND_OUTPUT_BYTES } from './limits.ts';
import type { CommandResult } from './stream.ts';

/** A read-only command, as executed: no shell stands between. */
export interface LookCommand {
  program: string;
  args: readonly string[];
}

export const COMMANDS = {
  list: { program: 'ls', args: ['-p'] },
  repository: { program: 'git', args: ['rev-parse', '--show-toplevel'] },
  log: { program: 'git', args: ['log', '-5', '--oneline'] },
  status: { program: 'git', args: ['status', '--short', '--ignored'] },
} as const satisfies Record<string, LookCommand>;

/** Settings that hold whatever the repository's own configuration says: it must not make git start other programs. */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['log.showSignature', 'false'],
  ['color.ui', 'false'],
];

/** The environment of the commands: never a prompt, a pager, a lock or a colour. */
export function lookEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = base;
  Object.assign(environment, {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  });
  GIT_SETTINGS.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}

/** The command as an operator would type it. */
export function commandText({ program, args }: LookCommand): string {
  return [program, ...args].join(' ');
}

/**
 * Runs a command in `cwd` and waits for its end, at most {@link COMMAND_TIMEOUT_MS}. Output above
 * {@link MAX_COMMAND_OUTPUT_BYTES} is read and dropped, so that the command still ends by itself.
 * @throws the signal's reason when it is aborted, after the command is gone: then it has no result to report
 */
export async function runLook(command: LookCommand, cwd: string, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command.program, command.args, {
      cwd,
      env: lookEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      killSignal: 'SIGKILL',
      signal,
    });
    // Not spawn's own `timeout`: Node 20 leaves that timer running when the program is missing.
    const limit = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
    const chunks: Buffer[] = [];
    let kept = 0;
    let dropped = 0;
    const keep = (chunk: Buffer) => {
      const part = chunk.subarray(0, MAX_COMMAND_OUTPUT_BYTES - kept);
      if (part.length > 0) chunks.push(part);
      kept += part.length;
      dropped += chunk.length - part.length;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const finish = (exitCode: number | null, note: string) => {
      clearTimeout(limit);
      const more = dropped > 0 ? `\n(${dropped} more bytes)` : '';
      resolve({ output: Buffer.concat(chunks).toString('utf8') + more + note, exitCode });
    };
    child.once('error', (error) => {
      if (!signal.aborted) finish(null, `${command.program} could not be run: ${error.message}\n`);
    });
    child.once('close', (code, endedBy) => {
      if (signal.aborted) reject(signal.reason);
      finish(code, endedBy === null ? '' : `\n(ended by ${endedBy})\n`);
    });
  });
}
