import { useConversation } from '../state/conversation.ts';
import { useConversations } from '../state/conversations.ts';
import { selectConversation } from '../state/intents.ts';
import { Button, Empty, FailureBox } from '../ui/index.ts';
import { ConversationPane } from './ConversationPane.tsx';
import { type PanesShown, ShowSidebar } from './Header.tsx';
import { Welcome } from './Welcome.tsx';

/** The middle of the window: the open conversation, or why there is none. */
export function Conversation({ shown }: { shown: PanesShown }) {
  const id = useConversation((state) => state.id);
  const view = useConversation((state) => state.view);
  const failure = useConversation((state) => state.failure);
  const hasConversations = useConversations((state) => state.order.length > 0);
  if (id === null) return <Welcome isSidebarShown={shown.sidebar} hasConversations={hasConversations} />;
  if (failure !== null) {
    return (
      <div className="mx-auto max-w-column px-6 pt-6">
        {!shown.sidebar && <ShowSidebar />}
        <FailureBox
          sentence={failure.message}
          hint={failure.hint}
          actions={
            <Button size="small" onClick={() => void selectConversation(id)}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (view === null) {
    // Opening is usually over before anything could be read; the words come only when it is not.
    return (
      <div className="animate-appear-late pt-24">
        <Empty title="Opening the conversation…" />
      </div>
    );
  }
  return <ConversationPane view={view} shown={shown} />;
}
