import type { Seat, Turn } from '../../../src-shared/conversations.ts';
import type { Replay } from '../../../src-shared/events.ts';
import { answerOf } from '../../../src-shared/fold.ts';
import type { SeatId } from '../../../src-shared/ids.ts';
import { MAX_REPLAY_BYTES } from '../../../src-shared/limits.ts';

const BEGIN = 'What was said in this conversation before, for you to go on from. It is context, not a new request.';
const END = 'That was the conversation so far. The new message:';

/** What a fresh session is told of the transcript, and what was left out of it. */
export interface ComposedReplay {
  readonly text: string;
  readonly receipt: Replay;
}

/**
 * The transcript before `current`, oldest first, within {@link MAX_REPLAY_BYTES}: of what does not fit the oldest is left
 * out and counted. A message that got no answer and is now sent again is not told twice.
 * @returns `null` when nothing was said before
 */
export function composeReplay(
  before: readonly Turn[],
  current: Turn,
  seats: readonly Seat[],
  seatId: SeatId,
): ComposedReplay | null {
  const told = before
    .map((turn) => describeTurn(turn, seats, isSentAgain(turn, current, seatId)))
    .filter((text) => text !== '');
  const kept: string[] = [];
  let bytes = 0;
  for (const text of told.toReversed()) {
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_REPLAY_BYTES) break;
    kept.unshift(text);
  }
  const omittedTurns = told.length - kept.length;
  if (told.length === 0) return null;
  const gap = omittedTurns === 0 ? [] : [`(${omittedTurns} earlier turns are left out.)`];
  const text = [BEGIN, ...gap, ...kept, END].join('\n\n');
  return { text, receipt: { turns: kept.length, omittedTurns, bytes: Buffer.byteLength(text) } };
}

/** Whether this is the message that the seat has not answered and is now sent again. */
function isSentAgain(turn: Turn, current: Turn, seatId: SeatId): boolean {
  const own = turn.invocations.filter(({ started }) => started?.seatId === seatId);
  const answered = own.some((invocation) => answerOf(invocation) !== null);
  return own.length > 0 && !answered && turn.text === current.text && imagesOf(turn) === imagesOf(current);
}

function imagesOf(turn: Turn): string {
  return turn.attachments.map(({ sha256 }) => sha256).join(' ');
}

/** @param sentAgain its message is the new one: only what other seats answered to it is told */
function describeTurn(turn: Turn, seats: readonly Seat[], sentAgain: boolean): string {
  const images = turn.attachments.map(({ path, mime }) => `[image: ${path} (${mime})]`);
  const told = sentAgain ? turn.invocations.filter((invocation) => answerOf(invocation) !== null) : turn.invocations;
  const answers = told.map((invocation) => {
    const name = seats.find(({ id }) => id === invocation.started?.seatId)?.name ?? 'Agent';
    const ended = invocation.outcome?.kind ?? 'running';
    return `${name}:\n${answerOf(invocation) ?? `(no answer: ${ended})`}`;
  });
  if (sentAgain) return answers.length === 0 ? '' : ['(To the new message:)', ...answers].join('\n\n');
  return [`Operator:\n${[turn.text, ...images].filter((line) => line !== '').join('\n')}`, ...answers].join('\n\n');
}
