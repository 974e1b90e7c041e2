import { CornerDownLeft, ImagePlus, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ConversationId, SeatId } from '../../src-shared/ids.ts';
import { useConversation } from '../state/conversation.ts';
import { canSend, useDraft, useDrafts } from '../state/drafts.ts';
import { intakeFile } from '../state/intake.ts';
import { sendDraft, stopTurn } from '../state/intents.ts';
import { Button, FailureBox, SelectBox } from '../ui/index.ts';
import { AccessBox } from './AccessBox.tsx';
import { AttachmentStrip } from './AttachmentStrip.tsx';
import { BeforeSend } from './BeforeSend.tsx';
import { MessageBox } from './MessageBox.tsx';
import { namesText } from './seats.ts';

const EVERYONE = 'everyone';
const PICKED_TYPES = 'image/png,image/jpeg,image/gif,image/webp';

/** Where the operator writes. What it shows at the click of Send is what is sent. */
export function Composer({ conversationId }: { conversationId: ConversationId }) {
  const draft = useDraft(conversationId);
  const isRunning = useConversation((state) => (state.view?.conversation.running ?? 0) > 0 || hasRunningTurn(state));
  const kind = useConversation((state) => state.view?.conversation.kind ?? 'chat');
  const seats = useConversation(useShallow((state) => state.view?.seats ?? []));
  const [to, setTo] = useState<SeatId | typeof EVERYONE>(EVERYONE);
  const [isStopping, setIsStopping] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const addressed = seats.filter((seat) => to === EVERYONE || seat.id === to);
  const names = namesText(addressed.map((seat) => seat.name));
  const isReady = canSend(draft);

  function send(): void {
    if (isReady) void sendDraft(conversationId, to === EVERYONE ? null : [to]);
  }

  async function stop(): Promise<void> {
    setIsStopping(true);
    await stopTurn(conversationId);
    setIsStopping(false);
  }

  return (
    <div className="rounded-2xl border border-line-strong bg-raised p-2.5 shadow-raised has-[textarea:focus-visible]:border-accent">
      <AttachmentStrip conversationId={conversationId} />
      <BeforeSend conversationId={conversationId} seats={addressed} />
      {draft.failure !== null && (
        <div className="pb-2">
          <FailureBox
            sentence={draft.failure.message}
            hint={draft.failure.hint}
            actions={
              <Button size="small" onClick={() => useDrafts.getState().dismissFailure(conversationId)}>
                Dismiss
              </Button>
            }
          />
        </div>
      )}
      <MessageBox
        conversationId={conversationId}
        placeholder={
          isRunning
            ? 'Write on: a message is queued and goes out by itself.'
            : `Message ${names}. Drop images anywhere here.`
        }
        onSend={send}
        onPickImages={() => picker.current?.click()}
      />
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={picker}
          type="file"
          multiple
          accept={PICKED_TYPES}
          hidden
          onChange={(event) => {
            const files = [...(event.target.files ?? [])].map((file) => intakeFile(file, false));
            // So that the same file can be picked again.
            event.target.value = '';
            useDrafts.getState().addFiles(conversationId, files);
          }}
        />
        <Button
          size="small"
          className="min-h-7 text-ink-2"
          aria-label="Attach images"
          onClick={() => picker.current?.click()}
        >
          <ImagePlus size={14} aria-hidden="true" />
          Images
        </Button>
        {kind === 'talk' && (
          <SelectBox
            label="To"
            value={to}
            onChange={setTo}
            options={[
              { value: EVERYONE, label: 'To: everyone' },
              ...seats.map((seat) => ({ value: seat.id, label: `To: ${seat.name}` })),
            ]}
          />
        )}
        <AccessBox seats={addressed} />
        <span className="ml-auto flex items-center gap-2">
          {isRunning && (
            <Button disabled={isStopping} onClick={() => void stop()}>
              <Square size={12} aria-hidden="true" fill="currentColor" />
              Stop
            </Button>
          )}
          <Button look="primary" disabled={!isReady} onClick={send}>
            Send
            <CornerDownLeft size={14} aria-hidden="true" />
          </Button>
        </span>
      </div>
    </div>
  );
}

function hasRunningTurn({ view }: { view: { turns: Readonly<Record<string, { state: string }>> } | null }): boolean {
  return view !== null && Object.values(view.turns).some((turn) => turn.state === 'running');
}
