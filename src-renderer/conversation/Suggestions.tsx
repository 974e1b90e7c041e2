import type { ConversationId } from '../../src-shared/ids.ts';
import { useDrafts } from '../state/drafts.ts';
import { focusComposer } from '../state/handles.ts';
import { Button } from '../ui/index.ts';

const SUGGESTIONS = ['What is this project?', 'What changed lately?', 'What do you see in this image?'];

/** First messages to begin from; they are put into the composer, not sent. */
export function Suggestions({ conversationId }: { conversationId: ConversationId }) {
  return (
    <div className="mt-4 flex flex-wrap justify-center gap-2">
      {SUGGESTIONS.map((text) => (
        <Button
          key={text}
          size="small"
          onClick={() => {
            useDrafts.getState().setText(conversationId, text);
            focusComposer();
          }}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
