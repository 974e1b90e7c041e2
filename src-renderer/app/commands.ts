import type { CommandId } from '../../src-shared/api.ts';
import { never } from '../../src-shared/failure.ts';
import { useConversation } from '../state/conversation.ts';
import { focusComposer, focusFind, pickImages } from '../state/handles.ts';
import { stopTurn } from '../state/intents.ts';
import { togglePane } from '../state/panes.ts';
import { type ReviewTab, useReview } from '../state/review.ts';
import { isWaiting } from '../state/rows.ts';
import { openDialog, useStage } from '../state/stage.ts';

/** Whether a command can do anything now; the palette leaves out those that cannot. */
export function isAvailable(command: CommandId): boolean {
  const { view } = useConversation.getState();
  switch (command) {
    case 'new-conversation':
    case 'command-palette':
    case 'toggle-sidebar':
    case 'settings':
      return true;
    case 'stop':
      return view !== null && view.conversation.running > 0;
    case 'edit-last-queued':
      return lastQueued() !== null;
    case 'find-in-conversation':
    case 'toggle-review':
    case 'focus-composer':
    case 'attach-images':
    case 'review-run':
    case 'review-live':
    case 'review-artifacts':
    case 'review-evidence':
    case 'rename-conversation':
    case 'delete-conversation':
      return view !== null;
    default:
      return never(command);
  }
}

function lastQueued() {
  const { view } = useConversation.getState();
  const id = view?.turnIds.findLast((turnId) => {
    const turn = view.turns[turnId];
    return turn !== undefined && isWaiting(turn);
  });
  return id ?? null;
}

function showReview(tab: ReviewTab): void {
  useReview.getState().showTab(tab);
  togglePane('review', true);
}

/** Does what a command says. Returns whether it did anything. */
export function runCommand(command: CommandId): boolean {
  if (!isAvailable(command)) return false;
  const { id } = useConversation.getState();
  switch (command) {
    case 'new-conversation':
      openDialog({ kind: 'new-conversation' });
      break;
    case 'command-palette':
      openDialog({ kind: 'palette' });
      break;
    case 'settings':
      openDialog({ kind: 'settings' });
      break;
    case 'find-in-conversation':
      useStage.setState({ finding: true });
      focusFind();
      break;
    case 'toggle-sidebar':
      togglePane('sidebar');
      break;
    case 'toggle-review':
      togglePane('review');
      break;
    case 'focus-composer':
      focusComposer();
      break;
    case 'attach-images':
      pickImages();
      break;
    case 'stop':
      if (id !== null) void stopTurn(id);
      break;
    case 'edit-last-queued':
      useStage.setState({ editing: lastQueued() });
      break;
    case 'review-run':
      showReview('run');
      break;
    case 'review-live':
      showReview('live');
      break;
    case 'review-artifacts':
      showReview('artifacts');
      break;
    case 'review-evidence':
      showReview('evidence');
      break;
    case 'rename-conversation':
      useStage.setState({ renaming: true });
      break;
    case 'delete-conversation':
      if (id !== null) openDialog({ kind: 'delete', conversationId: id });
      break;
    default:
      never(command);
  }
  return true;
}
