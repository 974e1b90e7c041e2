import type { ConversationId } from '../../src-shared/ids.ts';
import { UNTITLED } from '../conversation/index.tsx';
import { useConversations } from '../state/conversations.ts';
import { deleteConversation } from '../state/intents.ts';
import { closeDialog } from '../state/stage.ts';
import { ConfirmDialog } from '../ui/index.ts';

export function DeleteDialog({ conversationId }: { conversationId: ConversationId }) {
  const title = useConversations((state) => state.byId[conversationId]?.title) || UNTITLED;
  return (
    <ConfirmDialog
      open
      onOpenChange={closeDialog}
      title={`Delete “${title}”?`}
      text="Its messages, images and artifacts are deleted from this machine. The working directory is not touched. This cannot be undone."
      confirm="Delete"
      onConfirm={() => void deleteConversation(conversationId)}
    />
  );
}
