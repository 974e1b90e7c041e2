import { Popover } from 'radix-ui';
import { useShallow } from 'zustand/react/shallow';
import { useAgent } from '../state/agents.ts';
import { useConversation } from '../state/conversation.ts';
import { openSeatSettings, useStage } from '../state/stage.ts';
import { SeatBadge, WorkingDot } from '../ui/index.ts';
import { SeatSettings } from './SeatSettings.tsx';
import { type SeatWork, seatWork } from './seats.ts';

/** Identifies the button of a seat for Ctrl/Cmd+1…9. */
export const SEAT_POSITION_ATTRIBUTE = 'data-seat-position';

/** Who sits at the table, and what each does. A seat opens its settings. */
export function SeatStrip() {
  const summary = useConversation(
    useShallow(({ view }) =>
      view === null ? [] : seatWork(view).flatMap((work) => [work.seat, work.isWorking, work.text]),
    ),
  );
  const view = useConversation.getState().view;
  // `summary` is what a change of matters; the objects around it are made anew each time.
  const seats = summary.length === 0 || view === null ? [] : seatWork(view);
  return (
    <ul aria-label="Seats" className="flex min-w-0 flex-wrap items-center gap-1.5">
      {seats.map((work, position) => (
        <li key={work.seat.id}>
          <SeatButton work={work} position={position} />
        </li>
      ))}
    </ul>
  );
}

function SeatButton({ work, position }: { work: SeatWork; position: number }) {
  const { seat, isWorking, text } = work;
  const agent = useAgent(seat.agent);
  const isOpen = useStage((state) => state.seatSettings === seat.id);
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => (open ? openSeatSettings(seat.id) : useStage.setState({ seatSettings: null }))}
    >
      <Popover.Trigger asChild>
        <button
          type="button"
          {...{ [SEAT_POSITION_ATTRIBUTE]: position }}
          className="flex min-h-7 items-center gap-1.5 rounded-full border border-line bg-raised py-0.5 pr-2.5 pl-1 text-sm hover:border-line-strong data-[state=open]:border-accent"
        >
          {agent !== undefined && <SeatBadge letter={agent.letter} hue={agent.hue} />}
          <span className="font-medium">{seat.name}</span>
          {isWorking && <WorkingDot />}
          <span className="text-ink-2">{text}</span>
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={`Settings of ${seat.name}`}
          className="z-30 max-h-[var(--radix-popover-content-available-height)] w-80 overflow-y-auto rounded-xl border border-line bg-pane p-4 shadow-floating"
        >
          <SeatSettings seat={seat} agent={agent} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
