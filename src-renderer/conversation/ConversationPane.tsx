import { ImageDown } from 'lucide-react';
import { type DragEvent, useEffect, useState } from 'react';
import { useConversation } from '../state/conversation.ts';
import { useDrafts } from '../state/drafts.ts';
import { intakeFromTransfer } from '../state/intake.ts';
import { chooseOtherDirectory } from '../state/intents.ts';
import { useStage } from '../state/stage.ts';
import type { ConversationView } from '../state/view.ts';
import { Button, Empty, FailureBox } from '../ui/index.ts';
import { Composer } from './Composer.tsx';
import { FindBar } from './FindBar.tsx';
import { Header, type PanesShown } from './Header.tsx';
import { Announcer, Progress } from './Progress.tsx';
import { QueuedMessages } from './QueuedMessages.tsx';
import { Suggestions } from './Suggestions.tsx';
import { Transcript } from './Transcript.tsx';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Whether a paste belongs to something else than the conversation: a dialog, or another text box. */
function isPasteElsewhere(target: EventTarget | null, pane: HTMLElement): boolean {
  if (useStage.getState().dialog !== null) return true;
  return target instanceof HTMLElement && target.matches('input, textarea') && !pane.contains(target);
}

/** The open conversation. A drop counts on all of it; a paste counts wherever nothing else takes it. */
export function ConversationPane({ view, shown }: { view: ConversationView; shown: PanesShown }) {
  const { id, cwd } = view.conversation;
  const isFinding = useStage((state) => state.finding);
  const [isDragging, setIsDragging] = useState(false);
  const [pane, setPane] = useState<HTMLElement | null>(null);

  // A paste goes to whatever has the focus, often to nothing, so only the window hears them all.
  useEffect(() => {
    if (pane === null) return;
    function onPaste(event: ClipboardEvent): void {
      if (event.clipboardData === null || pane === null || isPasteElsewhere(event.target, pane)) return;
      const files = intakeFromTransfer(event.clipboardData);
      if (files.length === 0) return;
      // Text that came along (a spreadsheet copies cells and their picture) is still inserted, unless it only names the files.
      const text = event.clipboardData.getData('text/plain').trim();
      if (text === '' || files.some((file) => text.includes(file.name))) event.preventDefault();
      useDrafts.getState().addFiles(id, files);
    }
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, [pane, id]);

  return (
    <section
      ref={setPane}
      aria-label="Conversation"
      className="relative flex h-full min-h-0 flex-col bg-pane"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsDragging(true);
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) {
          setIsDragging(false);
        }
      }}
      onDrop={(event) => {
        setIsDragging(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        useDrafts.getState().addFiles(id, intakeFromTransfer(event.dataTransfer));
      }}
    >
      <Header conversation={view.conversation} shown={shown} />
      {isFinding && <FindBar />}
      {!view.cwdExists && (
        <div className="mx-auto w-full max-w-column px-6 pt-3">
          <FailureBox
            sentence={`The working directory ${cwd} is gone.`}
            hint="Bring it back, or choose another directory for this conversation; its seats start fresh sessions there."
            actions={
              <Button size="small" onClick={() => void chooseOtherDirectory(id)}>
                Choose another directory
              </Button>
            }
          />
        </div>
      )}
      <Transcript key={id} conversationId={id} empty={<EmptyConversation />} />
      <footer className="overflow-y-hidden border-t border-line px-6 pt-2.5 pb-3.5 [scrollbar-gutter:stable_both-edges]">
        <div className="mx-auto max-w-column">
          <Progress />
          <QueuedMessages conversationId={id} />
          <Composer key={id} conversationId={id} />
        </div>
      </footer>
      <Announcer />
      {isDragging && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/90"
        >
          <span className="flex items-center gap-2 text-lg font-semibold text-accent">
            <ImageDown size={20} />
            Drop to attach
          </span>
        </div>
      )}
    </section>
  );
}

function EmptyConversation() {
  const id = useConversation((state) => state.id);
  return (
    <Empty level="h2" title="Nothing was said yet">
      <p>Write the first message below. Images may be dropped anywhere here, pasted, or picked.</p>
      {id !== null && <Suggestions conversationId={id} />}
    </Empty>
  );
}
