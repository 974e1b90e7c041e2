import type { Capabilities } from '../../../src-shared/agents.ts';
import type { Attachment } from '../../../src-shared/attachments.ts';
import type { DeliveryReceipt, FreshReason, PreviousTurn, StartedEvent } from '../../../src-shared/events.ts';
import type { InvocationState } from '../../../src-shared/fold.ts';
import { agentById, type CommandLine } from '../agents/index.ts';
import type { Prepared, PrepareInput } from './prepare.ts';

export interface StartedInput extends PrepareInput {
  /** What the seat did last; `null` on its first turn. */
  readonly previous: InvocationState | null;
}

/** What an invocation begins with, whether anything could be started or not (`prepared` is `null` then). */
export function startedEvent(
  input: StartedInput,
  prepared: Pick<Prepared, 'commandLine' | 'replay' | 'capabilities' | 'resuming'> | null,
  environment: string[],
): StartedEvent {
  const { context, turn, seat, cwd, stem } = input;
  const commandLine = prepared?.commandLine ?? null;
  const resuming = prepared === null ? context.session.id : prepared.resuming;
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
    idleTimeoutMs: seat.idleTimeoutMs,
    commandLine: commandLine === null ? [] : [commandLine.program, ...commandLine.args],
    environment,
    grants: commandLine === null ? [] : [...commandLine.grants],
    deliveries: commandLine === null ? [] : deliveries(turn.attachments, commandLine),
    resuming,
    freshBecause: freshReason(input, resuming, prepared?.capabilities ?? agentById(seat.agent).capabilities),
    previous: previousTurn(input.previous),
    replay: prepared?.replay?.receipt ?? null,
    caveats: commandLine === null ? [] : [...commandLine.caveats],
  };
}

function deliveries(images: readonly Attachment[], commandLine: CommandLine): DeliveryReceipt[] {
  return images.flatMap((image, index) => {
    const route = commandLine.routes[index];
    if (route === undefined) return [];
    const { id, name, sha256, bytes, width, height, path } = image;
    // Before this each copy was read back and compared with its hash.
    return [{ attachmentId: id, name, sha256, bytes, width, height, path, route, verified: true }];
  });
}

function freshReason(
  { seat, previous }: StartedInput,
  resuming: string | null,
  capabilities: Capabilities,
): FreshReason | null {
  if (resuming !== null) return null;
  if (previous === null) return 'first-turn';
  if (seat.freshBecause !== null && seat.freshBecause !== 'first-turn') return seat.freshBecause;
  // An agent that keeps no sessions, or whose turns so far ended before it had named one.
  return capabilities.resume === 'none' ? 'no-sessions' : 'first-turn';
}

function previousTurn(state: InvocationState | null): PreviousTurn | null {
  if (state?.started == null) return null;
  const { agent, model, access, cwd } = state.started;
  return { invocationId: state.invocationId, agent, model, access, cwd, sessionId: state.session?.sessionId ?? null };
}
