import { RotateCw, X } from 'lucide-react';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useDraft, useDrafts } from '../state/drafts.ts';
import type { DraftItem } from '../state/intake.ts';
import { Button, FailureBox, IconButton } from '../ui/index.ts';
import { Thumbnail } from './Thumbnail.tsx';

type FailedItem = Extract<DraftItem, { kind: 'failed' }>;

/** The images of a draft: those that are ready, those on their way, and what could not be added, with the reason. */
export function AttachmentStrip({ conversationId }: { conversationId: ConversationId }) {
  const { items } = useDraft(conversationId);
  const shown = items.filter((item) => item.kind !== 'failed');
  const failed = items.filter((item) => item.kind === 'failed');
  if (items.length === 0) return null;
  return (
    <div className="space-y-2 pb-2">
      {failed.length > 0 && (
        // Bounded, so that a folder full of refused files leaves room for the transcript.
        <div className="max-h-[30vh] space-y-2 overflow-y-auto">
          {failed.map((item) => (
            <Failed key={item.key} conversationId={conversationId} item={item} />
          ))}
        </div>
      )}
      {shown.length > 0 && (
        <ul aria-label="Attachments" className="flex max-h-48 flex-wrap gap-2 overflow-y-auto p-px">
          {shown.map((item) => (
            <li key={item.key} className="relative">
              {item.kind === 'ready' ? (
                <Thumbnail attachment={item.attachment} label={`View ${item.attachment.name}`} />
              ) : (
                <Adding name={item.name} />
              )}
              <RemoveButton
                name={item.kind === 'ready' ? item.attachment.name : item.name}
                onClick={() => useDrafts.getState().remove(conversationId, item.key)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Adding({ name }: { name: string }) {
  return (
    <div className="w-28 overflow-hidden rounded-lg border border-dashed border-line-strong text-2xs text-ink-2">
      <div className="grid h-16 animate-breathe place-items-center bg-code">adding…</div>
      <div className="truncate px-1.5 py-0.5">{name}</div>
    </div>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton
      label={`Remove ${name}`}
      icon={<X size={14} />}
      onClick={onClick}
      className="absolute top-0.5 right-0.5 size-6 border border-line-strong bg-raised"
    />
  );
}

function Failed({ conversationId, item }: { conversationId: ConversationId; item: FailedItem }) {
  const { retry, remove } = useDrafts.getState();
  return (
    <FailureBox
      sentence={item.sentence}
      hint={item.hint}
      actions={
        <>
          {item.retry !== null && (
            <Button size="small" onClick={() => retry(conversationId, item.key)}>
              <RotateCw size={13} aria-hidden="true" />
              Retry
            </Button>
          )}
          <Button size="small" onClick={() => remove(conversationId, item.key)}>
            Dismiss
          </Button>
        </>
      }
    />
  );
}
