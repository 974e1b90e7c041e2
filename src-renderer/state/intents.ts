import type { CallInput, CallResult } from '../../src-shared/api.ts';
import type { EvidenceRow, Seat, Turn } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { AttachmentId, ConversationId, InvocationId, SeatId, TurnId } from '../../src-shared/ids.ts';
import { call } from './bridge.ts';
import { openConversation, showSnapshot, showTurn, useConversation } from './conversation.ts';
import { applyToList } from './conversations.ts';
import { useDrafts } from './drafts.ts';
import { forgetConversation, useLayout } from './layout.ts';
import { tellFailure } from './notices.ts';
import { togglePane } from './panes.ts';
import { type ReviewTab, useReview } from './review.ts';
import { useStage } from './stage.ts';
import { withSeat } from './view.ts';

/**
 * What the operator can do, as calls. Whoever cares for the failure gets it back; for all others it is told as a notice.
 */

/** Puts a conversation on screen; `null` for the welcome. */
export async function selectConversation(id: ConversationId | null): Promise<void> {
  const before = useConversation.getState();
  if (before.id === id && before.failure === null) return;
  if (before.id !== null) useDrafts.getState().flush(before.id);
  useLayout.setState({ selected: id, drawer: 'none' });
  useStage.setState({ renaming: false, finding: false, editing: null, seatSettings: null });
  await openConversation(id);
}

/** Creates a conversation and shows it. */
export async function createConversation(input: CallInput<'createConversation'>): Promise<Failure | null> {
  const result = await call('createConversation', input);
  if (!result.ok) return result.error;
  const { conversation } = result.value;
  const before = useConversation.getState().id;
  if (before !== null) useDrafts.getState().flush(before);
  applyToList([{ name: 'conversation', payload: { conversation } }]);
  showSnapshot(result.value);
  useLayout.setState({ selected: conversation.id, lastDirectory: conversation.cwd, drawer: 'none' });
  return null;
}

export async function renameConversation(conversationId: ConversationId, title: string): Promise<void> {
  tellIfFailed(await call('renameConversation', { conversationId, title }));
}

export async function deleteConversation(conversationId: ConversationId): Promise<void> {
  const result = await call('deleteConversation', { conversationId });
  if (tellIfFailed(result)) return;
  applyToList([{ name: 'conversationRemoved', payload: { conversationId } }]);
  useDrafts.getState().forget(conversationId);
  forgetConversation(conversationId);
  if (useConversation.getState().id === conversationId) await openConversation(null);
}

/** Asks for another working directory and moves the conversation there. */
export async function chooseOtherDirectory(conversationId: ConversationId): Promise<void> {
  const chosen = await call('chooseDirectory', {});
  if (tellIfFailed(chosen) || !chosen.ok || chosen.value.directory === null) return;
  const moved = await call('moveConversation', { conversationId, cwd: chosen.value.directory });
  if (tellIfFailed(moved)) return;
  await openConversation(conversationId);
}

export async function chooseDirectory(startIn: string | undefined): Promise<string | null> {
  const result = await call('chooseDirectory', startIn === undefined || startIn === '' ? {} : { startIn });
  return tellIfFailed(result) || !result.ok ? null : result.value.directory;
}

export async function sendDraft(conversationId: ConversationId, seatIds: readonly SeatId[] | null): Promise<void> {
  const turn = await useDrafts.getState().send(conversationId, seatIds);
  if (turn !== null) showTurn(turn);
}

export async function stopTurn(conversationId: ConversationId): Promise<void> {
  tellIfFailed(await call('stopTurn', { conversationId }));
}

export async function editQueued(turn: Turn, text: string, attachmentIds: AttachmentId[]): Promise<Failure | null> {
  const result = await call('editQueued', { turnId: turn.id, expectedText: turn.text, text, attachmentIds });
  if (!result.ok) return result.error;
  showTurn(result.value.turn);
  return null;
}

export async function removeQueued(turnId: TurnId): Promise<void> {
  tellIfFailed(await call('removeQueued', { turnId }));
}

export async function releaseHeld(conversationId: ConversationId): Promise<void> {
  tellIfFailed(await call('releaseHeld', { conversationId }));
}

/** Sends the message of an ended turn again, to one seat if one is named. */
export async function sendAgain(
  turnId: TurnId,
  seatId: SeatId | undefined,
  without: AttachmentId[] = [],
): Promise<void> {
  showSent(await call('sendAgain', { turnId, without, ...toSeat(seatId) }));
}

/** Sends the message of an ended turn again at a time, ms since the epoch. */
export async function continueThen(turnId: TurnId, seatId: SeatId | undefined, at: number): Promise<void> {
  showSent(await call('continueThen', { turnId, at, ...toSeat(seatId) }));
}

export async function sendScheduledNow(turnId: TurnId): Promise<void> {
  showSent(await call('sendScheduledNow', { turnId }));
}

function toSeat(seatId: SeatId | undefined): { seatIds?: SeatId[] } {
  return seatId === undefined ? {} : { seatIds: [seatId] };
}

function showSent(result: CallResult<{ turn: Turn }>): void {
  if (!tellIfFailed(result) && result.ok) showTurn(result.value.turn);
}

/** Adds to the clocks of what runs. */
export async function giveMoreTime(invocationIds: readonly InvocationId[]): Promise<void> {
  // The clocks that are set anew come as events.
  for (const invocationId of invocationIds) tellIfFailed(await call('giveMoreTime', { invocationId }));
}

function showSeat(result: CallResult<{ seat: Seat }>): Failure | null {
  if (!result.ok) return result.error;
  const { seat } = result.value;
  const { view } = useConversation.getState();
  if (view?.conversation.id === seat.conversationId) useConversation.setState({ view: withSeat(view, seat) });
  return null;
}

export async function updateSeat(change: CallInput<'updateSeat'>): Promise<Failure | null> {
  return showSeat(await call('updateSeat', change));
}

/** The next turn of the seat opens a session of its own; with `replay` it is told what was said before. */
export async function startFreshSession(seatId: SeatId, replay: boolean): Promise<Failure | null> {
  return showSeat(await call('startFreshSession', { seatId, replay }));
}

export async function copyText(text: string): Promise<void> {
  tellIfFailed(await call('copyText', { text }));
}

export async function saveAttachmentAs(attachmentId: AttachmentId): Promise<void> {
  tellIfFailed(await call('saveAttachmentAs', { attachmentId }));
}

export async function revealAttachment(attachmentId: AttachmentId): Promise<void> {
  tellIfFailed(await call('revealAttachment', { attachmentId }));
}

/** Tells a failure and says whether there was one. */
function tellIfFailed(result: CallResult<unknown>): boolean {
  if (!result.ok) tellFailure(result.error);
  return !result.ok;
}

/** Forgets the agent's session of a seat, and sends it the message of a turn again. */
export async function retryWithFreshSession(seatId: SeatId, turnId: TurnId, replay: boolean): Promise<void> {
  const failed = await startFreshSession(seatId, replay);
  if (failed !== null) tellFailure(failed);
  else await sendAgain(turnId, seatId);
}

/** Shows where an invocation's event stream reports a command, with all of its output. */
export function reviewReportOf(conversationId: ConversationId, { invocationId, id }: EvidenceRow, stem: string): void {
  useReview.getState().seek({ invocationId, name: `${stem}.stdout.log`, find: JSON.stringify(id) });
  reviewInvocation(conversationId, invocationId, 'artifacts');
}

/** Shows one invocation in the review pane. */
export function reviewInvocation(conversationId: ConversationId, invocationId: InvocationId, tab: ReviewTab): void {
  useReview.getState().select(conversationId, invocationId);
  useReview.getState().showTab(tab);
  togglePane('review', true);
}
