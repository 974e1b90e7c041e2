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
    status: z.enum(['open', 'ok', 'failed', 'unknown']),
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

function withPart(state: InvocationState, added: Part): InvocationState {
  if (state.parts.length < MAX_PARTS) return { ...state, parts: [...state.parts, added] };
  return { ...state, parts: [...state.parts.slice(1), added], omittedParts: state.omittedParts + 1 };
}

function replaceAt(parts: readonly Part[], index: number, part: Part): Part[] {
  const copy = [...parts];
  copy[index] = part;
  return copy;
}

function appendText(state: InvocationState, kind: 'text' | 'thinking', id: string, text: string): InvocationState {
  const index = state.parts.findLastIndex((candidate) => candidate.kind === kind && candidate.id === id);
  const current = state.parts[index];
  if (current === undefined || current.kind !== kind) {
    const truncated = text.length > MAX_TEXT_PART_LENGTH;
    return withPart(state, { kind, id, text: truncated ? text.slice(0, MAX_TEXT_PART_LENGTH) : text, truncated });
  }
  if (current.truncated) return state;
  const room = MAX_TEXT_PART_LENGTH - current.text.length;
  const truncated = text.length > room;
  const grown = { ...current, text: current.text + (truncated ? text.slice(0, room) : text), truncated };
  return { ...state, parts: replaceAt(state.parts, index, grown) };
}

/**
 * The state after one more event. Events that are already in it are ignored, so that a snapshot and the stream after it
 * may overlap. A gap is the caller's to notice: `event.seq > state.seq + 1` means that a fresh snapshot is needed.
 */
export function foldSeatEvent(before: InvocationState, event: SeatEvent): InvocationState {
  if (event.seq <= before.seq) return before;
  const state = { ...before, seq: event.seq };
  switch (event.type) {
    case 'started': {
      const { invocationId: _id, seq: _seq, ...started } = event;
      return { ...state, started };
    }
    case 'session':
      return { ...state, session: { sessionId: event.sessionId, how: event.how } };
    case 'text':
    case 'thinking':
      return appendText(state, event.type, event.messageId, event.text);
    case 'tool-call':
      return withPart(state, {
        kind: 'tool',
        id: event.callId,
        tool: event.tool,
        title: event.title,
        status: 'open',
        output: '',
        exitCode: null,
      });
    case 'tool-result': {
      const index = state.parts.findLastIndex(
        (candidate) => candidate.kind === 'tool' && candidate.id === event.callId,
      );
      const call = state.parts[index];
      if (call === undefined || call.kind !== 'tool') return state;
      const { status, output, exitCode } = event;
      return { ...state, parts: replaceAt(state.parts, index, { ...call, status, output, exitCode }) };
    }
    case 'evidence':
      return { ...state, evidenceCount: state.evidenceCount + 1, lastEvidence: event.evidence };
    case 'denied':
      return withPart(state, { kind: 'denied', id: `denied-${event.seq}`, what: event.what, reason: event.reason });
    case 'usage':
      return { ...state, usage: event.usage };
    case 'notice':
      return withPart(state, { kind: 'notice', id: `notice-${event.seq}`, level: event.level, text: event.text });
    case 'ended':
      return { ...state, outcome: event.outcome, endedAt: event.at };
    default:
      return never(event);
  }
}
