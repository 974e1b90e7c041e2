import { Timer } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import { MORE_TIME_MS } from '../../src-shared/limits.ts';
import { formatDuration } from '../../src-shared/outcome.ts';
import { useNow } from '../state/clock.ts';
import { useConversation } from '../state/conversation.ts';
import { giveMoreTime } from '../state/intents.ts';
import type { ConversationView } from '../state/view.ts';
import { Button, Tooltip, WorkingDot } from '../ui/index.ts';
import { firstLimitText, type SeatClock } from './clockWords.ts';
import { namesText, type SeatWork, seatWork } from './seats.ts';

interface Working {
  readonly names: string;
  readonly isOne: boolean;
  /** When the first of them began, ms since the epoch. */
  readonly since: number | null;
}

function workingIn(view: ConversationView | null): readonly SeatWork[] {
  return view === null ? [] : seatWork(view).filter((work) => work.isWorking);
}

/** The clocks of what works, in the order of the seats. */
function clocksIn(view: ConversationView | null): SeatClock[] {
  if (view === null) return [];
  return workingIn(view).flatMap(({ seat, invocationId }) => {
    const clock = invocationId === null ? undefined : view.clocks[invocationId];
    return clock === undefined ? [] : [{ name: seat.name, clock, hasIdleLimit: seat.idleTimeoutMs !== null }];
  });
}

/** Who works, for how long, and how long it still may: the one `status` of a conversation. */
export function Progress() {
  const working = useConversation(
    useShallow(({ view }): Working => {
      const seats = workingIn(view);
      const since = seats.reduce<number | null>(
        (earliest, work) => (work.since === null ? earliest : Math.min(earliest ?? work.since, work.since)),
        null,
      );
      return { names: namesText(seats.map((work) => work.seat.name)), isOne: seats.length === 1, since };
    }),
  );
  // The clocks themselves are compared: each is a new object when it was set anew.
  const limits = useConversation(useShallow(({ view }) => clocksIn(view).map(({ clock }) => clock)));
  if (working.names === '') return null;
  return (
    <div className="flex min-h-6 items-start gap-3 px-1 pb-1.5 text-sm text-ink-2">
      {/* Its seconds would be read out without end; the announcer tells what begins and ends. */}
      <div role="status" aria-live="off" className="flex min-w-0 flex-1 items-baseline gap-2 py-0.5 tabular-nums">
        <WorkingDot />
        {working.since === null ? (
          `${working.names} ${working.isOne ? 'is' : 'are'} starting`
        ) : (
          <Elapsed working={working} since={working.since} />
        )}
      </div>
      {limits.length > 0 && (
        <Tooltip text={`Adds ${formatDuration(MORE_TIME_MS)} to every limit of what runs`}>
          <Button
            size="small"
            look="quiet"
            onClick={() => void giveMoreTime(limits.map(({ invocationId }) => invocationId))}
          >
            <Timer size={13} aria-hidden="true" />
            {limits.length === 1 ? 'Give it more time' : 'Give them more time'}
          </Button>
        </Tooltip>
      )}
    </div>
  );
}

function Elapsed({ working: { names, isOne }, since }: { working: Working; since: number }) {
  const now = useNow('second');
  const limits = firstLimitText(clocksIn(useConversation.getState().view), now);
  const elapsed = `${names} ${isOne ? 'is' : 'are'} working, ${formatDuration(Math.max(0, now - since))}`;
  return (
    <span className="min-w-0">
      {elapsed}
      {limits !== '' && <span className="text-ink-3"> · {limits}</span>}
    </span>
  );
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
