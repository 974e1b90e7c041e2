import type { StartedEvent } from '../../../src-shared/events.ts';
import type { InvocationState } from '../../../src-shared/fold.ts';
import { freshClause, replayText } from '../../conversation/sessionWords.ts';
import { copyText } from '../../state/outside.ts';
import { Chip, CopyButton } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';
import { Fact, Machine, NotReported } from './Facts.tsx';

/** What was asked of the agent's memory, and what it reported of it. */
export function SessionFact({ state, started }: { state: InvocationState; started: StartedEvent }) {
  const { session } = state;
  const { resuming: asked, replay } = started;
  const isOther = asked !== null && session !== null && session.sessionId !== asked;
  return (
    <>
      <Fact
        term="Session"
        action={
          session !== null && <CopyButton label="Copy the session id" onCopy={() => copyText(session.sessionId)} />
        }
      >
        {session === null ? (
          <NotReported />
        ) : (
          <>
            <Chip tone={session.how === 'resumed' ? 'good' : isOther ? 'warn' : 'plain'}>{session.how}</Chip>{' '}
            <Machine>{session.sessionId}</Machine>
          </>
        )}
      </Fact>
      <Fact term="Asked for">
        {asked === null ? newSessionText(started) : <Machine>{asked}</Machine>}
        {isOther && (
          <p className="text-warn">The agent reported another session: it may not remember the turns before.</p>
        )}
      </Fact>
      {replay !== null && (
        <Fact term="Replay">
          {replayText(replay)} ({formatBytes(replay.bytes)})
        </Fact>
      )}
    </>
  );
}

function newSessionText({ freshBecause, previous }: StartedEvent): string {
  return freshBecause === null ? 'a new session' : `a new session: ${freshClause(freshBecause, previous !== null)}`;
}
