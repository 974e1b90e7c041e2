import type { StartedEvent } from '../../../src-shared/events.ts';
import { useAgents } from '../../state/agents.ts';
import { Chip } from '../../ui/index.ts';
import { compareTurns } from './comparison.ts';
import { Fact, Facts, Machine } from './Facts.tsx';

/** What a turn ran with, beside what the seat's turn before it ran with. */
export function Compared({ started }: { started: StartedEvent }) {
  const agents = useAgents((state) => state.agents);
  const compared = compareTurns(started, {
    agent: (id) => agents.find((agent) => agent.id === id)?.label ?? id,
    directory: (path) => path,
  });
  if (compared === null) {
    const isKnown = started.freshBecause === 'first-turn';
    return (
      <p className="text-ink-2">
        {isKnown
          ? 'This is the seat’s first turn: there is none to compare it with.'
          : 'The turn before is not recorded.'}
      </p>
    );
  }
  return (
    <Facts>
      {compared.map(({ term, before, now, isSame }) => (
        <Fact key={term} term={term}>
          {isSame ? (
            <>
              same: <Value term={term} value={now} />
            </>
          ) : (
            <>
              <Chip tone="warn">changed</Chip> from <Value term={term} value={before} /> to{' '}
              <Value term={term} value={now} />
            </>
          )}
        </Fact>
      ))}
      <SessionBefore started={started} />
    </Facts>
  );
}

function Value({ term, value }: { term: string; value: string }) {
  return term === 'Directory' ? <Machine>{value}</Machine> : value;
}

/** The session of the turn before; this turn's own stands among the receipts. */
function SessionBefore({ started: { previous, resuming } }: { started: StartedEvent }) {
  if (previous === null) return null;
  if (previous.sessionId === null) return <Fact term="Session">none was named in the turn before</Fact>;
  return (
    <Fact term="Session">
      {resuming === previous.sessionId ? (
        <>
          same asked for: <Machine>{resuming}</Machine>
        </>
      ) : (
        <>
          <Chip tone="warn">changed</Chip> from <Machine>{previous.sessionId}</Machine> to{' '}
          {resuming === null ? 'a new one' : <Machine>{resuming}</Machine>}
        </>
      )}
    </Fact>
  );
}
