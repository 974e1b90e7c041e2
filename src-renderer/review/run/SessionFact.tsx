import type { StartedEvent } from '../../../src-shared/events.ts';
import type { InvocationState } from '../../../src-shared/fold.ts';
import { copyText } from '../../state/outside.ts';
import { Chip, CopyButton } from '../../ui/index.ts';
import { Fact, Machine, NotReported } from './Facts.tsx';

/** What was asked of the agent's memory, and what it reported of it. */
export function SessionFact({ state, started }: { state: InvocationState; started: StartedEvent }) {
  const { session } = state;
  const asked = started.resuming;
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
        {asked === null ? 'a new session' : <Machine>{asked}</Machine>}
        {isOther && (
          <p className="text-warn">The agent reported another session: it may not remember the turns before.</p>
        )}
      </Fact>
    </>
  );
}
