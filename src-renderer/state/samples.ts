import type { Attachment } from '../../src-shared/attachments.ts';
import type { ConversationSnapshot, Seat, Turn } from '../../src-shared/conversations.ts';
import type { SeatEvent, SeatEventBody } from '../../src-shared/events.ts';
import { emptyInvocationState } from '../../src-shared/fold.ts';
import { attachmentId, conversationId, formatId, invocationId, runId, seatId, turnId } from '../../src-shared/ids.ts';

/** Records for tests, complete and distinguishable by a small number. */

const EPOCH = Date.UTC(2026, 0, 5, 9, 30);
const hex = (n: number) => n.toString(16).padStart(8, '0');

export const conversationAt = (n: number) => conversationId.parse(formatId('conv', EPOCH, hex(n)));
export const seatAt = (n: number) => seatId.parse(formatId('seat', EPOCH, hex(n)));
export const turnAt = (n: number) => turnId.parse(formatId('turn', EPOCH, hex(n)));
export const runAt = (n: number) => runId.parse(formatId('run', EPOCH, hex(n)));
export const invocationAt = (n: number) => invocationId.parse(formatId('inv', EPOCH, hex(n)));
export const attachmentAt = (n: number) => attachmentId.parse(formatId('att', EPOCH, hex(n)));

export function sampleAttachment(n: number): Attachment {
  return {
    id: attachmentAt(n),
    conversationId: conversationAt(1),
    name: `image-${n}.png`,
    mime: 'image/png',
    bytes: 100,
    width: 4,
    height: 3,
    sha256: 'a'.repeat(64),
    path: `/data/attachments/${n}.png`,
  };
}

export function sampleSeat(n: number, more: Partial<Seat> = {}): Seat {
  return {
    id: seatAt(n),
    conversationId: conversationAt(1),
    position: n,
    agent: 'codex',
    name: `Seat ${n}`,
    model: null,
    access: 'read-only',
    role: 'chat',
    definitionId: null,
    timeoutMs: 60_000,
    idleTimeoutMs: null,
    sessionId: null,
    freshBecause: 'first-turn',
    replayNext: false,
    ...more,
  };
}

export function sampleTurn(n: number, more: Partial<Turn> = {}): Turn {
  return {
    id: turnAt(n),
    conversationId: conversationAt(1),
    position: n,
    run: runAt(n),
    state: 'ended',
    text: `message ${n}`,
    attachments: [],
    seatIds: [seatAt(0)],
    invocations: [emptyInvocationState(invocationAt(n))],
    startAt: null,
    createdAt: EPOCH + n,
    ...more,
  };
}

export function sampleSnapshot(turns: Turn[], more: Partial<ConversationSnapshot> = {}): ConversationSnapshot {
  return {
    conversation: {
      id: conversationAt(1),
      kind: 'chat',
      title: 'A conversation',
      titled: false,
      cwd: '/work',
      agents: ['codex'],
      createdAt: EPOCH,
      updatedAt: EPOCH,
      running: 0,
      queued: 0,
      attention: 'none',
    },
    seats: [sampleSeat(0)],
    turns,
    earlierTurns: 0,
    draft: { text: '', attachments: [] },
    clocks: [],
    cwdExists: true,
    ...more,
  };
}

export function started(n: number): SeatEventBody {
  return {
    type: 'started',
    conversationId: conversationAt(1),
    turnId: turnAt(n),
    run: runAt(n),
    node: 'chat',
    stem: 'chat-01',
    seatId: seatAt(0),
    agent: 'codex',
    model: null,
    access: 'read-only',
    cwd: '/work',
    origin: 'web',
    at: EPOCH,
    timeoutMs: 60_000,
    commandLine: ['codex'],
    environment: [],
    grants: [],
    deliveries: [],
    resuming: null,
    freshBecause: 'first-turn',
    previous: null,
    replay: null,
    caveats: [],
    idleTimeoutMs: null,
  };
}

/** Consecutive events of invocation `n`, numbered from `from`. */
export function eventsOf(n: number, from: number, bodies: readonly SeatEventBody[]): SeatEvent[] {
  return bodies.map((body, index) => ({ ...body, invocationId: invocationAt(n), seq: from + index }));
}

export const said = (text: string): SeatEventBody => ({ type: 'text', messageId: 'm', text });

/** A promise that the test settles when it wants to. */
export function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
