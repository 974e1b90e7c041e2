import { useShallow } from 'zustand/react/shallow';
import { formatDuration } from '../../src-shared/outcome.ts';
import { useNow } from '../state/clock.ts';
import { useConversation } from '../state/conversation.ts';
import { WorkingDot } from '../ui/index.ts';
import { namesText, seatWork } from './seats.ts';

/** Who works, and for how long: the one `status` of a conversation. */
export function Progress() {
  const working = useConversation(
    useShallow(({ view }) => {
      const seats = view === null ? [] : seatWork(view).filter((work) => work.isWorking);
      const since = seats.reduce<number | null>(
        (earliest, work) => (work.since === null ? earliest : Math.min(earliest ?? work.since, work.since)),
        null,
      );
      return { names: namesText(seats.map((work) => work.seat.name)), count: seats.length, since };
    }),
  );
  if (working.count === 0) return null;
  return (
    // Its seconds would be read out without end; the announcer tells what begins and ends.
    <div role="status" aria-live="off" className="flex items-center gap-2 px-1 pb-1.5 text-sm text-ink-2">
      <WorkingDot />
      {working.since === null ? (
        `${working.names} ${working.count === 1 ? 'is' : 'are'} starting`
      ) : (
        <Elapsed names={working.names} isOne={working.count === 1} since={working.since} />
      )}
    </div>
  );
}

function Elapsed({ names, isOne, since }: { names: string; isOne: boolean; since: number }) {
  const now = useNow('second');
  return `${names} ${isOne ? 'is' : 'are'} working, ${formatDuration(Math.max(0, now - since))}`;
}

/** Tells assistive technology when a seat begins and how it ends, once each. */
export function Announcer() {
  const text = useConversation(({ view }) =>
    view === null
      ? ''
      : seatWork(view)
          .filter((work) => work.text !== 'ready')
          .map((work) => `${work.seat.name}: ${work.text}`)
          .join('. '),
  );
  return (
    <div aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
