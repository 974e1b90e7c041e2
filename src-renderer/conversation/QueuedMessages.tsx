import { CalendarClock, Image, Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Turn } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useNow } from '../state/clock.ts';
import { useConversation } from '../state/conversation.ts';
import { focusComposer } from '../state/handles.ts';
import { editQueued, releaseHeld, removeQueued, sendScheduledNow } from '../state/intents.ts';
import { isWaiting } from '../state/rows.ts';
import { useStage } from '../state/stage.ts';
import { Button, Chip, FailureBox, IconButton } from '../ui/index.ts';
import { momentText } from './moment.ts';

const NO_TURNS: Turn[] = [];

/** Messages that wait: for the turn before them, for their time, or for the operator since Parley ended. */
export function QueuedMessages({ conversationId }: { conversationId: ConversationId }) {
  const turns = useConversation(
    useShallow(({ view }) =>
      view === null
        ? NO_TURNS
        : view.turnIds.flatMap((id) => {
            const turn = view.turns[id];
            return turn !== undefined && isWaiting(turn) ? [turn] : [];
          }),
    ),
  );
  const editing = useStage((state) => state.editing);
  if (turns.length === 0) return null;
  const held = turns.filter((turn) => turn.state === 'held').length;
  return (
    <div className="pb-2">
      {held > 0 && (
        <div className="mb-1.5 flex items-center gap-3 rounded-lg bg-warn-soft px-3 py-1.5 text-sm">
          <p className="min-w-0 flex-1">
            {held === 1 ? 'A message was' : `${held} messages were`} waiting when Parley ended. Nothing of{' '}
            {held === 1 ? 'it' : 'them'} goes out until you say so.
          </p>
          <Button size="small" onClick={() => void releaseHeld(conversationId)}>
            Send now
          </Button>
        </div>
      )}
      <ul aria-label="Queued messages" className="max-h-60 space-y-1.5 overflow-y-auto">
        {turns.map((turn) => (
          <li key={turn.id} className="rounded-xl border border-dashed border-line-strong bg-pane px-3 py-1.5">
            {editing === turn.id ? <Editor key={turn.text} turn={turn} /> : <Waiting turn={turn} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Waiting({ turn }: { turn: Turn }) {
  const count = turn.attachments.length;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Chip tone="unknown">{turn.state}</Chip>
      <div className="min-w-0 flex-1 basis-56">
        <p className="line-clamp-2 whitespace-pre-wrap wrap-anywhere" title={turn.text}>
          {turn.text}
        </p>
        {turn.startAt !== null && turn.state === 'scheduled' && <GoesOut at={turn.startAt} />}
      </div>
      {count > 0 && (
        <Chip
          icon={<Image size={12} aria-hidden="true" />}
          title={turn.attachments.map((attachment) => attachment.name).join(', ')}
        >
          {count === 1 ? '1 image' : `${count} images`}
        </Chip>
      )}
      <span className="ml-auto flex items-center gap-1">
        {turn.state === 'scheduled' && (
          <Button size="small" onClick={() => void sendScheduledNow(turn.id)}>
            Send now
          </Button>
        )}
        <IconButton label="Edit" icon={<Pencil size={14} />} onClick={() => useStage.setState({ editing: turn.id })} />
        <IconButton label="Remove" icon={<Trash2 size={14} />} onClick={() => void removeQueued(turn.id)} />
      </span>
    </div>
  );
}

function GoesOut({ at }: { at: number }) {
  return (
    <p className="flex items-start gap-1.5 text-sm text-ink-2">
      <CalendarClock size={13} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3" />
      Goes out {momentText(at, useNow('minute'))}; if Parley is closed then, as soon as it is opened again.
    </p>
  );
}

function stopEditing(): void {
  useStage.setState({ editing: null });
  focusComposer();
}

function Editor({ turn }: { turn: Turn }) {
  const [text, setText] = useState(turn.text);
  const [kept, setKept] = useState(turn.attachments);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isEmpty = text.trim() === '' && kept.length === 0;

  async function save() {
    const failed = await editQueued(
      turn,
      text,
      kept.map((attachment) => attachment.id),
    );
    if (failed === null) stopEditing();
    else setFailure(failed);
  }

  return (
    <div className="space-y-2 py-1">
      <textarea
        ref={(element) => element?.focus()}
        aria-label="Queued text"
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          stopEditing();
        }}
        className="field-sizing-content block max-h-40 min-h-9 w-full resize-none rounded-lg border border-line-strong bg-raised px-2 py-1.5"
      />
      {kept.length > 0 && (
        <ul aria-label="Images of this message" className="flex flex-wrap gap-1.5">
          {kept.map((attachment) => (
            <li
              key={attachment.id}
              className="flex items-center gap-1 rounded-md border border-line bg-raised pl-2 text-sm"
            >
              {attachment.name}
              <IconButton
                label={`Leave out ${attachment.name}`}
                icon={<X size={13} />}
                className="size-6"
                onClick={() => setKept(kept.filter((each) => each.id !== attachment.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={stopEditing}>
          Cancel
        </Button>
        <Button size="small" look="primary" disabled={isEmpty} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}
