import { z } from 'zod';
import { never } from '../../../../src-shared/failure.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { formatDuration } from '../../../../src-shared/outcome.ts';
import { plainTail } from '../../../../src-shared/plainText.ts';
import { findExecutable } from '../../process/index.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { type CommandEnd, type CommandFiles, type CommandResult, runCommand } from './command.ts';
import { defineTool } from './define.ts';
import { Excerpt } from './excerpt.ts';
import { fileName } from './fileName.ts';
import {
  BASH_HEAD_BYTES,
  BASH_IDLE_MS,
  BASH_MAX_COMMAND_BYTES,
  BASH_MAX_LIMIT_MS,
  BASH_OUTPUT_BYTES,
  BASH_TAIL_BYTES,
  BASH_WALL_MS,
} from './limits.ts';
import { Refusal } from './outcome.ts';
import { mayRunCommands, type Sandbox } from './sandbox.ts';

const limit = (standard: number, what: string) =>
  z.number().int().min(1).max(BASH_MAX_LIMIT_MS).optional().describe(`${what}, ms; ${standard} when left out.`);

const input = z.strictObject({
  command: z.string().min(1).describe('What the shell runs, in the working directory.'),
  timeout_ms: limit(BASH_WALL_MS, 'The command is ended after so long'),
  idle_ms: limit(BASH_IDLE_MS, 'The command is ended when it prints nothing for so long'),
});
type Input = z.infer<typeof input>;

/** The tool that runs a command. Every command that ran is evidence. */
export function bashTool(sandbox: Sandbox, allowWrite: boolean): Tool {
  const writing = allowWrite
    ? 'It can change the working directory.'
    : 'It can change nothing: the file system is read-only.';
  const inside =
    sandbox.kind === 'none' ? '' : ` It runs in a sandbox with a /tmp of its own, which only commands see. ${writing}`;
  return defineTool({
    name: 'bash',
    description: `Runs a command with bash (or sh) in the working directory. It has no input: nothing can be asked of it. Processes that it leaves running are ended with it.${inside} Returns exit code, stdout and stderr; of long output the beginning and the end, and where the whole is kept.`,
    right: 'run',
    input,
    title: ({ command }) => command,
    run: (call, context) => run(call, context, sandbox),
  });
}

async function run(call: Input, context: ToolContext, sandbox: Sandbox): Promise<ToolOutcome> {
  if (!mayRunCommands(sandbox, context.allowWrite)) {
    throw new Refusal(
      'denied',
      'This seat is read-only, and there is no sandbox here that would keep a command from writing.',
    );
  }
  if (call.command.includes('\0')) throw new Refusal('failed', 'The command holds a NUL byte.');
  if (Buffer.byteLength(call.command) > BASH_MAX_COMMAND_BYTES) {
    throw new Refusal('failed', `The command is longer than ${BASH_MAX_COMMAND_BYTES} bytes; write it to a file.`);
  }
  const excerpts = {
    stdout: new Excerpt(BASH_HEAD_BYTES, BASH_TAIL_BYTES),
    stderr: new Excerpt(BASH_HEAD_BYTES, BASH_TAIL_BYTES),
  };
  const { cacheDir, scratch, environment } = context.commands;
  return runCommand(
    {
      program: await findShell(environment.PATH ?? ''),
      args: ['-c', call.command],
      cwd: context.cwd,
      setting: context.commands,
      sandbox,
      plan: { ...context, cacheDir, scratch },
      wallMs: call.timeout_ms ?? BASH_WALL_MS,
      idleMs: call.idle_ms ?? BASH_IDLE_MS,
      maxOutputBytes: BASH_OUTPUT_BYTES,
      signal: context.signal,
      graceMs: context.graceMs,
      onProcess: (process) => context.onProcess(process),
      onOutput: (stream, chunk) => {
        excerpts[stream].push(chunk);
        context.onOutput(stream, chunk);
        return true;
      },
    },
    (result, files) => report(call.command, result, files, excerpts, context),
  );
}

async function findShell(searchPath: string): Promise<string> {
  for (const name of ['/bin/bash', 'bash', '/bin/sh']) {
    const lookup = await findExecutable(name, searchPath);
    if (lookup.kind === 'found') return lookup.path;
  }
  throw new Refusal('failed', 'There is no shell on this machine.');
}

async function report(
  line: string,
  { end, tree }: CommandResult,
  files: CommandFiles,
  excerpts: { readonly stdout: Excerpt; readonly stderr: Excerpt },
  context: ToolContext,
): Promise<ToolOutcome> {
  const said = describeEnd(end);
  const parts = [said.text];
  if (end.kind === 'exited' && tree.ended.length > 0) {
    parts.push(`Processes that it had left running were ended: ${tree.ended.join(', ')}.`);
  }
  if (tree.left.length > 0) parts.push(`Processes that would not end: ${tree.left.join(', ')}.`);
  for (const stream of ['stdout', 'stderr'] as const) {
    const excerpt = excerpts[stream];
    if (excerpt.bytes === 0) continue;
    parts.push(`${stream}:\n${excerpt.text().trimEnd()}`);
    if (!excerpt.isCut) continue;
    parts.push(await keepWhole(stream, files[stream], excerpt.bytes, context));
  }
  if (excerpts.stdout.bytes + excerpts.stderr.bytes === 0 && end.kind !== 'not-started')
    parts.push('It printed nothing.');
  const outcome: ToolOutcome = { status: said.status, text: parts.join('\n'), attachments: [] };
  if (end.kind === 'not-started') return outcome;
  const printed = [excerpts.stdout.text(), excerpts.stderr.text()]
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const tail = plainTail(printed.join('\n'), MAX_RESULT_TAIL_BYTES);
  return { ...outcome, command: { line, exitCode: end.kind === 'exited' ? end.code : null, tail } };
}

async function keepWhole(stream: string, path: string, bytes: number, context: ToolContext): Promise<string> {
  const size = `${bytes.toLocaleString('en')} bytes`;
  try {
    const { name } = await context.saveArtifact(`${fileName(context.callId)}.${stream}.log`, { path });
    return `[All ${size} of ${stream} are kept as artifact “${name}”.]`;
  } catch (error) {
    if (context.signal.aborted) return `[${stream} had ${size}.]`;
    throw error;
  }
}

function describeEnd(end: CommandEnd): { status: ToolOutcome['status']; text: string } {
  switch (end.kind) {
    case 'exited':
      if (end.code === null)
        return { status: 'failed', text: `Ended by ${end.signal ?? 'a signal'}; there is no exit code.` };
      return { status: end.code === 0 ? 'ok' : 'failed', text: `Exit code ${end.code}.` };
    case 'timed-out':
      return {
        status: 'failed',
        text:
          end.clock === 'wall'
            ? `Ended after its limit of ${formatDuration(end.limitMs)} (timeout_ms); there is no exit code.`
            : `Ended after ${formatDuration(end.limitMs)} without output (idle_ms); there is no exit code.`,
      };
    case 'cancelled':
      return { status: 'interrupted', text: 'Interrupted: the turn was stopped. The command was ended.' };
    case 'output-limit':
      return { status: 'failed', text: `Ended: it printed more than ${BASH_OUTPUT_BYTES} bytes.` };
    case 'disk-full':
      return { status: 'failed', text: `Ended: only ${end.freeBytes} bytes are free on the disk.` };
    case 'not-started':
      return { status: 'failed', text: `The command could not be started: ${end.detail}.` };
    case 'enough':
      return { status: 'failed', text: 'Ended: no more of its output was wanted.' };
    default:
      return never(end);
  }
}
