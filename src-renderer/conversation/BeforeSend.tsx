import { ImageOff, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Seat } from '../../src-shared/conversations.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useDefinition } from '../state/agentNames.ts';
import { useAgent, useAgents } from '../state/agents.ts';
import { useConversation } from '../state/conversation.ts';
import { useDraft } from '../state/drafts.ts';
import { startFreshSession } from '../state/intents.ts';
import { tellFailure } from '../state/notices.ts';
import { usePreferences } from '../state/preferences.ts';
import { blindText, takesImages } from './blindSeats.ts';
import { seatWork } from './seats.ts';
import { freshNext, hasBegun } from './sessionWords.ts';

/** What the operator should know of the addressed seats before the message goes out. */
export function BeforeSend({ conversationId, seats }: { conversationId: ConversationId; seats: readonly Seat[] }) {
  // Always in the page, so that what appears in it is told.
  return (
    <div aria-live="polite">
      <BlindSeats conversationId={conversationId} seats={seats} />
      {seats.map((seat) => (
        <FreshNext key={seat.id} seat={seat} />
      ))}
    </div>
  );
}

function BlindSeats({ conversationId, seats }: { conversationId: ConversationId; seats: readonly Seat[] }) {
  const { items } = useDraft(conversationId);
  const agents = useAgents((state) => state.agents);
  const commands = usePreferences((state) => state.preferences.commands);
  const images = items.flatMap((item) =>
    item.kind === 'failed' ? [] : [item.kind === 'ready' ? item.attachment.name : item.name],
  );
  const blind = seats.filter((seat) => {
    const agent = agents.find(({ id }) => id === seat.agent);
    const definition = commands.find(({ id }) => id === seat.definitionId);
    return !takesImages(agent, definition);
  });
  const text = blindText(blind, images);
  if (text === null) return null;
  return (
    <p className="mb-2 flex items-start gap-2 rounded-lg bg-warn-soft px-2.5 py-1.5 text-sm">
      <ImageOff size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
      <span className="min-w-0 wrap-anywhere">
        {text} {blind.length < seats.length && 'The other seats take images.'}
      </span>
    </p>
  );
}

/** That the next turn begins without the session of the turns before, and whether it is told the transcript. */
function FreshNext({ seat }: { seat: Seat }) {
  const agent = useAgent(seat.agent);
  const definition = useDefinition(seat);
  const { isBegun, isWorking } = useConversation(
    useShallow(({ view }) => ({
      isBegun: view !== null && hasBegun(view, seat),
      isWorking: view !== null && seatWork(view).some((work) => work.seat.id === seat.id && work.isWorking),
    })),
  );
  const because = freshNext(seat, agent, definition);
  // While it works the session of its turn is about to be named.
  if (because === null || !isBegun || isWorking) return null;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-0.5 px-1 text-sm text-ink-2">
      <span className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <RefreshCw size={13} aria-hidden="true" className="mt-1 shrink-0 text-ink-3" />
        <span className="min-w-0 wrap-anywhere">
          The next message starts a fresh session with {seat.name}: {because}.
        </span>
      </span>
      <TellTranscript seat={seat} />
    </div>
  );
}

/** Whether the fresh session that is to come is told what was said before. */
export function TellTranscript({ seat }: { seat: Seat }) {
  return (
    <TranscriptBox
      checked={seat.replayNext}
      onChange={async (replay) => {
        const failed = await startFreshSession(seat.id, replay);
        if (failed !== null) tellFailure(failed);
      }}
    />
  );
}

export function TranscriptBox({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-6 items-center gap-1.5 text-sm whitespace-nowrap">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="accent-accent"
      />
      Tell it the transcript so far
    </label>
  );
}
