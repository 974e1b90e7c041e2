import { randomUUID } from 'node:crypto';
import type { Capabilities } from '../../../src-shared/agents.ts';
import type { CommandDefinition } from '../../../src-shared/commandDefinition.ts';
import type { Seat, Turn } from '../../../src-shared/conversations.ts';
import type { Cause } from '../../../src-shared/outcome.ts';
import { type Agent, agentById, type CommandLine, type Invocation } from '../agents/index.ts';
import type { ConversationRecords } from '../conversations/index.ts';
import type { ArtifactService } from '../services/index.ts';
import type { InvocationContext } from './context.ts';
import type { AgentFinder } from './finder.ts';
import { argumentFault, outsideOf, preflight } from './preflight.ts';
import { composePrompt, type PromptWriting } from './prompt.ts';
import { type ComposedReplay, composeReplay } from './replay.ts';
import type { AgentEnvironment, AgentSettings } from './settings.ts';

export interface PrepareParts {
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly finder: AgentFinder;
  readonly settings: AgentSettings;
}

export interface PrepareInput {
  readonly context: InvocationContext;
  readonly turn: Turn;
  readonly seat: Seat;
  readonly cwd: string;
  readonly stem: string;
}

/** What is known before anything is started. */
export interface Prepared {
  readonly agent: Agent;
  readonly definition: CommandDefinition | null;
  readonly capabilities: Capabilities;
  /** The session to go on with; `null` where there is none, or where the agent continues none. */
  readonly resuming: string | null;
  readonly invocation: Invocation;
  readonly commandLine: CommandLine;
  readonly environment: AgentEnvironment;
  readonly replay: ComposedReplay | null;
  /** Paths of all images that the conversation has sent. */
  readonly images: readonly string[];
}

/** Checks what a turn needs, writes its prompt down and builds its command line; or says what is in its way. */
export async function prepare(parts: PrepareParts, input: PrepareInput): Promise<Prepared | Cause> {
  const { turn, seat, cwd, stem, context } = input;
  const { records, artifacts, settings } = parts;
  const agent = agentById(seat.agent);
  const replay = replayFor(parts, input);
  const writing: PromptWriting = {
    path: (path) => agent.pathInPrompt?.(path) ?? path,
    text: (text) => agent.textInPrompt?.(text) ?? text,
  };
  const message = composePrompt(turn.text, turn.attachments, writing);
  const prompt = replay === null ? message : `${writing.text(replay.text)}\n\n${message}`;
  await artifacts.prepare(turn.run, stem, prompt);
  const artifactsDir = artifacts.directoryOf(turn.run);
  const fault = await preflight(cwd, turn.attachments, records.attachments, artifactsDir);
  if (fault !== null) return fault;
  const definition = seat.definitionId === null ? null : settings.definition(seat.definitionId);
  const undescribed = descriptionFault(agent, definition);
  if (undescribed !== null) return undescribed;
  const capabilities = (definition === null ? null : agent.capabilitiesOf?.(definition)) ?? agent.capabilities;
  // A command may have been described as one that continues no session since it had one.
  const resuming = capabilities.resume === 'none' ? null : context.session.id;
  const found = await parts.finder.resolve(agent, definition);
  if (found.kind === 'not-found') return { kind: 'not-installed', searched: found.searched };
  // Every turn names all images of the conversation: a resumed session is a new process and needs the grant again.
  const images = records.attachments.sent(turn.conversationId).map(({ path }) => path);
  const cacheDir = settings.buildCache();
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
    ...(cacheDir === undefined ? {} : { cacheDir }),
    attachments: await outsideOf(cwd, images),
  };
  const commandLine = agent.command(
    invocation,
    {
      access: seat.access,
      model: seat.model,
      sessionId: resuming,
      mintedSessionId: randomUUID(),
      images: turn.attachments,
      definition,
    },
    found.executable,
  );
  const unfit = argumentFault(commandLine);
  if (unfit !== null) return unfit;
  await artifacts.writeExtra(turn.run, stem, commandLine.files ?? []);
  const environment = await settings.environment(definition?.id ?? seat.agent);
  return { agent, definition, capabilities, resuming, invocation, commandLine, environment, replay, images };
}

function descriptionFault(agent: Agent, definition: CommandDefinition | null): Cause | null {
  if (definition !== null) return agent.faultOf?.(definition) ?? null;
  return agent.needsDefinition === true ? { kind: 'not-described', problem: null } : null;
}

/** The transcript for a fresh session whose operator asked for it. */
function replayFor({ records }: PrepareParts, { turn, seat, context }: PrepareInput): ComposedReplay | null {
  if (!seat.replayNext || context.session.id !== null) return null;
  const before = records.turns.begunBefore(turn.conversationId, turn.position);
  return composeReplay(before, turn, records.seats.list(turn.conversationId), seat.id);
}
