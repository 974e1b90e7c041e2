import { z } from 'zod';
import { commandEvidence, type SeatEvent, seatEventBody, usage } from './events.ts';
import { never } from './failure.ts';
import { invocationId } from './ids.ts';
import { MAX_PARTS, MAX_TEXT_PART_LENGTH } from './limits.ts';
import { outcome } from './outcome.ts';

/** One step of an invocation, as the transcript shows it. */
export const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), id: z.string(), text: z.string(), truncated: z.boolean() }),
  z.object({ kind: z.literal('thinking'), id: z.string(), text: z.string(), truncated: z.boolean() }),
  z.object({
    kind: z.literal('tool'),
    id: z.string(),
    tool: z.string(),
    title: z.string(),
    /** `open`: no end was reported. While the invocation runs that is all that is known; it is not a claim that it runs. */
    status: z.enum(['open', 'ok', 'failed', 'unknown', 'denied']),
    output: z.string(),
    exitCode: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('denied'), id: z.string(), what: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('notice'), id: z.string(), level: z.enum(['info', 'warning']), text: z.string() }),
]);
export type Part = z.infer<typeof part>;

const startedEvent = seatEventBody.options[0];

/** What the events of one invocation amount to. The engine stores it; the window folds the same events the same way. */
export const invocationState = z.object({
  invocationId,
  /** `seq` of the last event in it; -1 before the first. */
  seq: z.number().int(),
  started: startedEvent.nullable(),
  session: z.object({ sessionId: z.string(), how: z.enum(['resumed', 'replayed', 'fresh']) }).nullable(),
  parts: z.array(part),
  /** Older parts that are no longer kept; the artifacts have them. */
  omittedParts: z.number().int(),
  evidenceCount: z.number().int(),
  lastEvidence: commandEvidence.nullable(),
  usage: usage.nullable(),
  /** Paths of attachments that the agent is known to have read. */
  opened: z.array(z.string()).default([]),
  /** Calls that were refused. */
  deniedCount: z.number().int().default(0),
  outcome: outcome.nullable(),
  endedAt: z.number().nullable(),
});
export type InvocationState = z.infer<typeof invocationState>;

export function emptyInvocationState(id: z.infer<typeof invocationId>): InvocationState {
  return {
    invocationId: id,
    seq: -1,
    started: null,
    session: null,
    parts: [],
    omittedParts: 0,
    evidenceCount: 0,
    lastEvidence: null,
    usage: null,
    opened: [],
    deniedCount: 0,
    outcome: null,
    endedAt: null,
  };
}

/** The last message of the agent, which is its answer; `null` when it said nothing. */
export function answerOf(state: InvocationState): string | null {
  for (let index = state.parts.length - 1; index >= 0; index--) {
    const candidate = state.parts[index];
    if (candidate?.kind === 'text' && candidate.text.trim() !== '') return candidate.text;
  }
  return null;
}

function addPart(state: InvocationState, added: Part): void {
  if (state.parts.push(added) <= MAX_PARTS) return;
  state.parts.shift();
  state.omittedParts++;
}

function appendText(state: InvocationState, kind: 'text' | 'thinking', id: string, text: string): void {
  const index = state.parts.findLastIndex((candidate) => candidate.kind === kind && candidate.id === id);
  const current = state.parts[index];
  if (current === undefined || current.kind !== kind) {
    const truncated = text.length > MAX_TEXT_PART_LENGTH;
    addPart(state, { kind, id, text: truncated ? text.slice(0, MAX_TEXT_PART_LENGTH) : text, truncated });
    return;
  }
  if (current.truncated) return;
  const room = MAX_TEXT_PART_LENGTH - current.text.length;
  const truncated = text.length > room;
  state.parts[index] = { ...current, text: current.text + (truncated ? text.slice(0, room) : text), truncated };
}

/**
 * Takes one more event into a state that the caller owns alone; a part that changes is a new object. Events that are
 * already in it are ignored, so that a snapshot and the stream after it may overlap. A gap is the caller's to notice:
 * `event.seq > state.seq + 1` means that a fresh snapshot is needed.
 */
export function takeSeatEvent(state: InvocationState, event: SeatEvent): void {
  if (event.seq <= state.seq) return;
  state.seq = event.seq;
  switch (event.type) {
    case 'started': {
      const { invocationId: _id, seq: _seq, ...started } = event;
      state.started = started;
      return;
    }
    case 'session':
      state.session = { sessionId: event.sessionId, how: event.how };
      return;
    case 'text':
    case 'thinking':
      appendText(state, event.type, event.messageId, event.text);
      return;
    case 'tool-call': {
      const { callId: id, tool, title } = event;
      addPart(state, { kind: 'tool', id, tool, title, status: 'open', output: '', exitCode: null });
      return;
    }
    case 'tool-result': {
      const index = state.parts.findLastIndex(
        (candidate) => candidate.kind === 'tool' && candidate.id === event.callId,
      );
      const call = state.parts[index];
      if (call === undefined || call.kind !== 'tool') return;
      const { status, output, exitCode } = event;
      state.parts[index] = { ...call, status, output, exitCode };
      return;
    }
    case 'evidence':
      state.evidenceCount++;
      state.lastEvidence = event.evidence;
      return;
    case 'denied': {
      state.deniedCount++;
      const { callId, what, reason } = event;
      const index = state.parts.findLastIndex((candidate) => candidate.kind === 'tool' && candidate.id === callId);
      const call = state.parts[index];
      if (call?.kind === 'tool') state.parts[index] = { ...call, status: 'denied', output: reason };
      else addPart(state, { kind: 'denied', id: `denied-${event.seq}`, what, reason });
      return;
    }
    case 'opened':
      if (!state.opened.includes(event.path)) state.opened = [...state.opened, event.path];
      return;
    case 'usage':
      state.usage = event.usage;
      return;
    case 'notice':
      addPart(state, { kind: 'notice', id: `notice-${event.seq}`, level: event.level, text: event.text });
      return;
    case 'ended':
      state.outcome = event.outcome;
      state.endedAt = event.at;
      return;
    default:
      never(event);
  }
}

/** The state after these events; `before` stays as it is. */
export function foldSeatEvents(before: InvocationState, events: readonly SeatEvent[]): InvocationState {
  const after = { ...before, parts: [...before.parts] };
  for (const event of events) takeSeatEvent(after, event);
  return after;
}

/** The state after one more event; `before` stays as it is. */
export function foldSeatEvent(before: InvocationState, event: SeatEvent): InvocationState {
  return event.seq <= before.seq ? before : foldSeatEvents(before, [event]);
}
