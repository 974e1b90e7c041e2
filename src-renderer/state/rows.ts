import type { Turn } from '../../src-shared/conversations.ts';
import { type InvocationId, invocationId, type TurnId, turnId } from '../../src-shared/ids.ts';
import type { ConversationView } from './view.ts';

/** One article of the transcript: the operator's message, or one seat's reply to it. */
export type Row =
  | { readonly kind: 'operator'; readonly turnId: TurnId }
  | { readonly kind: 'seat'; readonly turnId: TurnId; readonly invocationId: InvocationId };

/** Keys of the rows, in order. Keys are compared instead of rows, so that a streamed word changes nothing here. */
export type RowKey = string;

const SEPARATOR = '/';

/** What waits is shown above the composer, not in the transcript. */
export function isWaiting(turn: Turn): boolean {
  return turn.state === 'queued' || turn.state === 'held' || turn.state === 'scheduled';
}

export function rowKeys(view: ConversationView): RowKey[] {
  const keys: RowKey[] = [];
  for (const id of view.turnIds) {
    const turn = view.turns[id];
    if (turn === undefined || isWaiting(turn)) continue;
    keys.push(id);
    for (const { invocationId } of turn.invocations) keys.push(`${id}${SEPARATOR}${invocationId}`);
  }
  return keys;
}

export function rowOf(key: RowKey): Row {
  const [turn, invocation] = key.split(SEPARATOR);
  return invocation === undefined
    ? { kind: 'operator', turnId: turnId.parse(turn) }
    : { kind: 'seat', turnId: turnId.parse(turn), invocationId: invocationId.parse(invocation) };
}
