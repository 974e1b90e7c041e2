import type { ReaderEvent } from '../../../src-shared/events.ts';
import { answerOf } from '../../../src-shared/fold.ts';
import type { Outcome } from '../../../src-shared/outcome.ts';
import { type Clocks, childEnvironment, runChild } from '../process/index.ts';
import { keptEvents } from './keptEvents.ts';
import type { InvocationLog } from './log.ts';
import { closeInvocation } from './meta.ts';
import { decideOutcome } from './outcome.ts';
import { writeFailure } from './preflight.ts';
import { type Prepared, type PrepareParts, prepare } from './prepare.ts';
import { type StartedInput, startedEvent } from './started.ts';
import { ErrorTail, OutputStream } from './stream.ts';

export interface InvokeParts extends PrepareParts {
  readonly env: NodeJS.ProcessEnv;
  /** Raw output as it comes, for whoever watches. The chunk is reused after the call. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer, offset: number): void;
}

export interface InvokeInput extends StartedInput {
  readonly log: InvocationLog;
  /** Begins both clocks of the invocation; they are stopped when it has ended. */
  startClocks(limits: { wallMs: number; idleMs: number | null }): Clocks;
}

/** One seat's work in one turn, from its prompt to its outcome. Whatever goes wrong becomes the outcome. */
export async function invoke(parts: InvokeParts, input: InvokeInput): Promise<void> {
  const { log } = input;
  let child: { pid: number; exit: { code: number | null; signal: string | null } | null } | null = null;
  let outcome: Outcome;
  try {
    const prepared = await prepare(parts, input);
    if ('kind' in prepared) {
      log.append(startedEvent(input, null, []));
      outcome = { kind: 'failed', cause: prepared, stderrTail: '' };
    } else {
      const ran = await execute(parts, input, prepared);
      outcome = ran.outcome;
      child = ran.child;
    }
  } catch (error) {
    if (log.state.started === null) log.append(startedEvent(input, null, []));
    outcome = { kind: 'failed', cause: writeFailure(error), stderrTail: '' };
  }
  await closeInvocation(parts.artifacts, log, child, outcome);
}

async function execute(parts: InvokeParts, input: InvokeInput, prepared: Prepared) {
  const { context, seat, turn, stem, log, cwd } = input;
  const { agent, definition, invocation, commandLine, resuming } = prepared;
  const { artifacts, records } = parts;
  const environment = childEnvironment(
    parts.env,
    await parts.finder.path(),
    {
      run: turn.run,
      node: seat.role,
      seat: seat.id,
      marker: context.invocationId,
      ...(invocation.cacheDir === undefined ? {} : { cacheDir: invocation.cacheDir }),
    },
    { ...prepared.environment.variables, ...commandLine.env },
  );
  log.append(startedEvent(input, prepared, environment.set));
  for (const name of prepared.environment.missing) {
    const text = `The secret ${name} has no value that can be had here: it was not entered, or the keychain did not give it. The agent runs without it.`;
    log.append({ type: 'notice', level: 'warning', text });
  }
  const { pathWarning } = parts.finder;
  if (pathWarning !== null) log.append({ type: 'notice', level: 'warning', text: pathWarning });
  log.save();
  const kept = keptEvents({ cwd, images: prepared.images, replayed: prepared.replay !== null });
  const onEvent = (reported: ReaderEvent) => {
    const event = kept(reported);
    if (event === null) return;
    log.append(event);
    // The seat's memory is durable from the moment the agent names it: a crash after this can be resumed.
    if (event.type === 'session') context.sessionService.save({ seatId: seat.id, id: event.sessionId });
  };
  const reader = agent.reader({ resuming, definition, opening: commandLine.opens ?? null });
  const output = new OutputStream(reader, onEvent, definition?.encoding);
  const stderr = new ErrorTail(definition?.encoding);
  const started: { root: { pid: number; started: string } | null } = { root: null };
  const clocks = input.startClocks({ wallMs: seat.timeoutMs, idleMs: seat.idleTimeoutMs });
  const result = await runChild(
    {
      program: commandLine.program,
      args: commandLine.args,
      cwd,
      env: environment.variables,
      stdinPath: commandLine.stdin === 'prompt' ? artifacts.path(turn.run, stem, 'prompt') : null,
      stdoutPath: artifacts.path(turn.run, stem, 'stdout'),
      stderrPath: artifacts.path(turn.run, stem, 'stderr'),
      marker: context.invocationId,
    },
    context.cancellation,
    clocks,
    {
      onStarted: (root) => {
        started.root = root;
        records.invocations.setRoot(context.invocationId, root);
      },
      onStdout: (chunk, offset) => {
        output.push(chunk);
        parts.onOutput('stdout', chunk, offset);
      },
      onStderr: (chunk, offset) => {
        stderr.push(chunk);
        parts.onOutput('stderr', chunk, offset);
      },
    },
  ).finally(() => clocks.stop());
  const { report, stdoutTail } = output.end();
  if (result.tree.left.length > 0) {
    const text = `Still there after the last signal: ${result.tree.left.join(', ')}.`;
    log.append({ type: 'notice', level: 'warning', text });
  }
  const outcome = decideOutcome(agent, {
    result,
    report,
    stderrTail: stderr.end(),
    stdoutTail,
    resuming,
    sessionReported: log.state.session !== null,
    answered: answerOf(log.state) !== null,
    model: seat.model,
    at: Date.now(),
    definition,
  });
  const exit = result.end.kind === 'exited' ? { code: result.end.code, signal: result.end.signal } : null;
  return { outcome, child: started.root === null ? null : { pid: started.root.pid, exit } };
}
