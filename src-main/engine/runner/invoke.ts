import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../../src-shared/attachments.ts';
import type { Seat, Turn } from '../../../src-shared/conversations.ts';
import type { DeliveryReceipt, ReaderEvent, StartedEvent } from '../../../src-shared/events.ts';
import { answerOf } from '../../../src-shared/fold.ts';
import { STDERR_TAIL_BYTES } from '../../../src-shared/limits.ts';
import type { Cause, Outcome } from '../../../src-shared/outcome.ts';
import { type Agent, agentById, type CommandLine, type Invocation } from '../agents/index.ts';
import type { ConversationRecords } from '../conversations/index.ts';
import { childEnvironment, runChild, TailKeeper } from '../process/index.ts';
import type { ArtifactService } from '../services/index.ts';
import type { InvocationContext } from './context.ts';
import type { AgentFinder } from './finder.ts';
import type { InvocationLog } from './log.ts';
import { closeInvocation } from './meta.ts';
import { decideOutcome } from './outcome.ts';
import { outsideOf, preflight, writeFailure } from './preflight.ts';
import { composePrompt } from './prompt.ts';
import { OutputStream } from './stream.ts';

export interface InvokeParts {
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly finder: AgentFinder;
  readonly env: NodeJS.ProcessEnv;
  /** Raw output as it comes, for whoever watches. The chunk is reused after the call. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer, offset: number): void;
}

export interface InvokeInput {
  readonly context: InvocationContext;
  readonly turn: Turn;
  readonly seat: Seat;
  readonly cwd: string;
  readonly stem: string;
  readonly log: InvocationLog;
}

/** What is known before anything is started. */
interface Prepared {
  readonly agent: Agent;
  readonly invocation: Invocation;
  readonly commandLine: CommandLine;
}

/** One seat's work in one turn, from its prompt to its outcome. Whatever goes wrong becomes the outcome. */
export async function invoke(parts: InvokeParts, input: InvokeInput): Promise<void> {
  const { log, seat } = input;
  const agent = agentById(seat.agent);
  let child: { pid: number; exit: { code: number | null; signal: string | null } | null } | null = null;
  let outcome: Outcome;
  try {
    const prepared = await prepare(parts, input, agent);
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

async function prepare(parts: InvokeParts, input: InvokeInput, agent: Agent): Promise<Prepared | Cause> {
  const { turn, seat, cwd, stem, context } = input;
  const { records, artifacts } = parts;
  const prompt = composePrompt(turn.text, turn.attachments);
  await artifacts.prepare(turn.run, stem, prompt);
  const artifactsDir = artifacts.directoryOf(turn.run);
  const fault = await preflight(cwd, turn.attachments, records.attachments, artifactsDir);
  if (fault !== null) return fault;
  const found = await parts.finder.resolve(agent);
  if (found.kind === 'not-found') return { kind: 'not-installed', searched: found.searched };
  // Every turn names all images of the conversation: a resumed session is a new process and needs the grant again.
  const sent = records.attachments.sent(turn.conversationId);
  const invocation: Invocation = {
    cwd,
    prompt,
    timeoutMs: seat.timeoutMs,
    allowWrite: seat.access === 'can-write',
    sessions: true,
    artifactsDir,
    stem,
    run: turn.run,
    node: seat.role,
    attachments: await outsideOf(
      cwd,
      sent.map((attachment) => attachment.path),
    ),
  };
  const commandLine = agent.command(
    invocation,
    {
      access: seat.access,
      model: seat.model,
      sessionId: context.session.id,
      mintedSessionId: randomUUID(),
      images: turn.attachments,
    },
    found.executable,
  );
  return { agent, invocation, commandLine };
}

function deliveries(images: readonly Attachment[], commandLine: CommandLine): DeliveryReceipt[] {
  return images.flatMap((image, index) => {
    const route = commandLine.routes[index];
    if (route === undefined) return [];
    const { id, name, sha256, bytes, width, height, path } = image;
    // `prepare` has read each copy back and compared it with its hash.
    return [{ attachmentId: id, name, sha256, bytes, width, height, path, route, verified: true }];
  });
}

function startedEvent(input: InvokeInput, commandLine: CommandLine | null, environment: string[]): StartedEvent {
  const { context, turn, seat, cwd, stem } = input;
  return {
    type: 'started',
    conversationId: turn.conversationId,
    turnId: turn.id,
    run: turn.run,
    node: seat.role,
    stem,
    seatId: seat.id,
    agent: seat.agent,
    model: seat.model,
    access: seat.access,
    cwd,
    origin: context.origin,
    at: Date.now(),
    timeoutMs: seat.timeoutMs,
    commandLine: commandLine === null ? [] : [commandLine.program, ...commandLine.args],
    environment,
    grants: commandLine === null ? [] : [...commandLine.grants],
    deliveries: commandLine === null ? [] : deliveries(turn.attachments, commandLine),
    resuming: context.session.id,
  };
}

async function execute(parts: InvokeParts, input: InvokeInput, prepared: Prepared) {
  const { context, seat, turn, stem, log, cwd } = input;
  const { agent, invocation, commandLine } = prepared;
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
    commandLine.env,
  );
  log.append(startedEvent(input, commandLine, environment.set));
  log.save();
  const onEvent = (event: ReaderEvent) => {
    log.append(event);
    // The seat's memory is durable from the moment the agent names it: a crash after this can be resumed.
    if (event.type === 'session') context.sessionService.save({ seatId: seat.id, id: event.sessionId });
  };
  const output = new OutputStream(agent.reader({ resuming: context.session.id }), onEvent);
  const stderr = new TailKeeper(STDERR_TAIL_BYTES);
  const started: { root: { pid: number; started: string } | null } = { root: null };
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
      timeoutMs: invocation.timeoutMs,
    },
    context.cancellation,
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
  );
  const { report, stdoutTail } = output.end();
  if (result.tree.left.length > 0) {
    const text = `Still there after the last signal: ${result.tree.left.join(', ')}.`;
    log.append({ type: 'notice', level: 'warning', text });
  }
  const outcome = decideOutcome(agent, {
    result,
    report,
    stderrTail: stderr.text(),
    stdoutTail,
    resuming: context.session.id,
    sessionReported: log.state.session !== null,
    answered: answerOf(log.state) !== null,
    timeoutMs: invocation.timeoutMs,
  });
  const exit = result.end.kind === 'exited' ? { code: result.end.code, signal: result.end.signal } : null;
  return { outcome, child: started.root === null ? null : { pid: started.root.pid, exit } };
}
