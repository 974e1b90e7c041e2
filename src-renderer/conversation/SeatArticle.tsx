import { Copy, Image, RefreshCw, SquareTerminal, TextSearch } from 'lucide-react';
import { memo } from 'react';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import { answerOf, type InvocationState } from '../../src-shared/fold.ts';
import type { InvocationId, TurnId } from '../../src-shared/ids.ts';
import { formatDuration } from '../../src-shared/outcome.ts';
import { useAgentLabel } from '../state/agentNames.ts';
import { useAgent, useAgents } from '../state/agents.ts';
import { useNow } from '../state/clock.ts';
import { useInvocation, useSeat, useTurn } from '../state/conversation.ts';
import { copyText, reviewInvocation } from '../state/intents.ts';
import { Button, Chip, ContextMenu, IconButton, type MenuEntry, SeatBadge, When, WorkingDot } from '../ui/index.ts';
import { OutcomeNote } from './OutcomeNote.tsx';
import { PartView } from './Parts.tsx';
import { deliveryReceipt, type Receipt, sessionReceipt } from './receipts.ts';
import { nameThen, seatIdOf } from './seats.ts';
import { selectedTextIn } from './selection.ts';

/** One seat's reply to one message: receipts, steps as they come, and how it ended. */
export const SeatArticle = memo(function SeatArticle({
  turnId,
  invocationId,
}: {
  turnId: TurnId;
  invocationId: InvocationId;
}) {
  const turn = useTurn(turnId);
  const state = useInvocation(turnId, invocationId);
  const seat = useSeat(turn === undefined || state === undefined ? undefined : seatIdOf(turn, state));
  // The badge of who did it: the seat may have another agent by now.
  const agent = useAgent(state?.started?.agent ?? seat?.agent);
  const agents = useAgents((store) => store.agents);
  const agentLabel = useAgentLabel(state?.started?.agent, seat);
  if (turn === undefined || state === undefined) return null;
  const isRunning = state.outcome === null && turn.state === 'running';
  const name = nameThen(state, seat, agents) ?? agentLabel;
  const review = () => reviewInvocation(turn.conversationId, invocationId, 'run');
  const entries: MenuEntry[] = [
    {
      label: 'Copy',
      icon: <Copy size={14} />,
      onSelect: () => void copyText(selectedTextIn('article') ?? answerOf(state) ?? ''),
    },
    { label: 'Review this run', icon: <TextSearch size={14} />, onSelect: review },
  ];
  const last = state.parts.length - 1;
  return (
    <ContextMenu entries={entries}>
      <article aria-label={name} aria-busy={isRunning}>
        <header className="mb-1 flex items-center gap-2 text-sm text-ink-2">
          {agent !== undefined && <SeatBadge letter={agent.letter} hue={agent.hue} />}
          <span className="text-base font-semibold text-ink">{name}</span>
          <Rights state={state} seat={seat} />
          <span className="ml-auto flex items-center gap-1.5 whitespace-nowrap text-ink-3">
            <Timing state={state} isRunning={isRunning} />
            <IconButton
              label={`Review ${name}’s run`}
              icon={<TextSearch size={15} />}
              onClick={review}
              className="size-6"
            />
          </span>
        </header>
        <Receipts turn={turn} state={state} />
        {state.omittedParts > 0 && (
          <p className="my-2 text-sm text-ink-2">
            {state.omittedParts} earlier steps are not kept here; the artifacts have them.{' '}
            <Button size="small" onClick={() => reviewInvocation(turn.conversationId, invocationId, 'artifacts')}>
              Open the artifacts
            </Button>
          </p>
        )}
        {state.parts.map((part, index) => (
          <PartView key={`${part.kind}-${part.id}`} part={part} isRunning={isRunning && index === last} />
        ))}
        {state.outcome !== null && (
          <OutcomeNote outcome={state.outcome} turn={turn} seat={seat} agentLabel={agentLabel} />
        )}
        {state.outcome === null && !isRunning && (
          <p className="my-2 text-sm text-ink-2">How this ended was not recorded.</p>
        )}
      </article>
    </ContextMenu>
  );
});

function Rights({ state, seat }: { state: InvocationState; seat: Seat | undefined }) {
  const model = state.started === null ? seat?.model : state.started.model;
  const access = state.started?.access ?? seat?.access;
  const words = [model, access === undefined ? null : access === 'read-only' ? 'read-only' : 'can write'];
  return <span className="min-w-0 truncate">{words.filter((word) => word != null).join(' · ')}</span>;
}

function Timing({ state, isRunning }: { state: InvocationState; isRunning: boolean }) {
  const { started, endedAt } = state;
  if (started === null) return isRunning ? <WorkingDot /> : null;
  if (isRunning) return <Elapsed since={started.at} />;
  return (
    <>
      {endedAt !== null && <span>{formatDuration(endedAt - started.at)} ·</span>}
      <Began at={started.at} />
    </>
  );
}

function Elapsed({ since }: { since: number }) {
  const now = useNow('second');
  return (
    <>
      <WorkingDot />
      {formatDuration(Math.max(0, now - since))}
    </>
  );
}

function Began({ at }: { at: number }) {
  return <When at={at} now={useNow('minute')} />;
}

function ReceiptChip({ receipt, icon }: { receipt: Receipt; icon: React.ReactNode }) {
  return (
    <Chip tone={receipt.tone} title={receipt.title} icon={icon}>
      {receipt.text}
    </Chip>
  );
}

function Receipts({ turn, state }: { turn: Turn; state: InvocationState }) {
  const session = sessionReceipt(state);
  const delivery = deliveryReceipt(turn, state);
  if (session === null && delivery === null && state.evidenceCount === 0) return null;
  return (
    <div className="my-1.5 flex flex-wrap items-center gap-1.5">
      {session !== null && <ReceiptChip receipt={session} icon={<RefreshCw size={12} aria-hidden="true" />} />}
      {delivery !== null && <ReceiptChip receipt={delivery} icon={<Image size={12} aria-hidden="true" />} />}
      {state.evidenceCount > 0 && (
        <button
          type="button"
          onClick={() => reviewInvocation(turn.conversationId, state.invocationId, 'evidence')}
          className="inline-flex min-h-6 items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 text-sm text-ink-2 hover:border-accent hover:text-ink"
        >
          <SquareTerminal size={12} aria-hidden="true" />
          {state.evidenceCount === 1 ? '1 command' : `${state.evidenceCount} commands`}
        </button>
      )}
    </div>
  );
}
