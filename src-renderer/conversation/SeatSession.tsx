import type { Seat } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { useDefinition } from '../state/agentNames.ts';
import { useAgent } from '../state/agents.ts';
import { useConversation } from '../state/conversation.ts';
import { startFreshSession } from '../state/intents.ts';
import { Button } from '../ui/index.ts';
import { TellTranscript } from './BeforeSend.tsx';
import { freshNext, hasBegun } from './sessionWords.ts';

/** The session that the seat's next turn goes on with, or that it will open one, and why. */
export function SeatSession({ seat, onFailure }: { seat: Seat; onFailure: (failure: Failure | null) => void }) {
  const agent = useAgent(seat.agent);
  const definition = useDefinition(seat);
  const isBegun = useConversation(({ view }) => view !== null && hasBegun(view, seat));
  const because = freshNext(seat, agent, definition);
  return (
    <div className="text-sm">
      <p className="font-medium">Session</p>
      {seat.sessionId === null ? (
        <p className="text-ink-2">
          None: the next message opens one{isBegun && because !== null ? `, because ${because}.` : '.'}
        </p>
      ) : (
        <p className="machine text-ink-2 wrap-anywhere select-text">{seat.sessionId}</p>
      )}
      {seat.sessionId === null && isBegun && <TellTranscript seat={seat} />}
      {seat.sessionId !== null && (
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          <Button size="small" onClick={async () => onFailure(await startFreshSession(seat.id, true))}>
            Fresh session, with the transcript
          </Button>
          <Button size="small" onClick={async () => onFailure(await startFreshSession(seat.id, false))}>
            Fresh session, empty
          </Button>
        </div>
      )}
    </div>
  );
}
