import { CalendarClock, CircleStop } from 'lucide-react';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import { describeOutcome, type Outcome } from '../../src-shared/outcome.ts';
import { useNow } from '../state/clock.ts';
import { useConversation } from '../state/conversation.ts';
import { chooseOtherDirectory, continueThen, retryWithFreshSession, sendAgain } from '../state/intents.ts';
import { openDialog, openSeatSettings } from '../state/stage.ts';
import { Button, FailureBox, Fold, MachineBox } from '../ui/index.ts';
import { momentText } from './moment.ts';
import { scheduledAgain } from './scheduled.ts';

interface NoteProps {
  outcome: Outcome;
  turn: Turn;
  seat: Seat | undefined;
  agentLabel: string;
}

/** How a seat's work ended, when that needs words: what happened, what can be done, and the button that does it. */
export function OutcomeNote({ outcome, turn, seat, agentLabel }: NoteProps) {
  if (outcome.kind === 'completed') return null;
  const { sentence, hint } = describeOutcome(outcome, agentLabel);
  if (outcome.kind === 'cancelled') {
    return (
      <p className="my-2 flex items-start gap-2 text-sm text-ink-2">
        <CircleStop size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {sentence} {hint}
        </span>
      </p>
    );
  }
  const stderr = outcome.kind === 'failed' ? outcome.stderrTail.trim() : '';
  return (
    <div className="my-2">
      <FailureBox
        sentence={sentence}
        hint={hint}
        actions={<NextStepButtons outcome={outcome} turn={turn} seat={seat} agentLabel={agentLabel} />}
      >
        {stderr !== '' && (
          <div className="mt-2">
            <Fold summary="The end of its error output">
              <MachineBox label="Error output" text={stderr} className="mt-1 rounded-md" />
            </Fold>
          </div>
        )}
      </FailureBox>
    </div>
  );
}

function NextStepButtons({ outcome, turn, seat, agentLabel }: NoteProps) {
  const { step } = describeOutcome(outcome, agentLabel);
  switch (step) {
    case 'none':
      return null;
    case 'agents':
      return (
        <>
          <Button size="small" onClick={() => openDialog({ kind: 'settings', section: 'agents' })}>
            Check agents
          </Button>
          <TryAgain turn={turn} seat={seat} />
        </>
      );
    case 'commands':
      return (
        <>
          <Button size="small" onClick={() => openDialog({ kind: 'settings', section: 'commands' })}>
            Check commands
          </Button>
          <TryAgain turn={turn} seat={seat} />
        </>
      );
    case 'send-again':
      return (
        <>
          {outcome.kind === 'timed-out' && seat !== undefined && (
            <Button size="small" onClick={() => openSeatSettings(seat.id)}>
              Change its limits
            </Button>
          )}
          <TryAgain turn={turn} seat={seat} />
        </>
      );
    case 'continue-then': {
      const resumesAt =
        outcome.kind === 'failed' && outcome.cause.kind === 'usage-limit' ? outcome.cause.resumesAt : null;
      return (
        <>
          {resumesAt !== null && <ContinueThen turn={turn} seat={seat} at={resumesAt} />}
          <TryAgain turn={turn} seat={seat} />
        </>
      );
    }
    case 'choose-model':
      return (
        <>
          {seat !== undefined && (
            <Button size="small" onClick={() => openSeatSettings(seat.id)}>
              Choose another model
            </Button>
          )}
          <TryAgain turn={turn} seat={seat} />
        </>
      );
    case 'fresh-session':
      if (seat === undefined) return null;
      return (
        <>
          <Button size="small" onClick={() => void retryWithFreshSession(seat.id, turn.id, true)}>
            Fresh session, with the transcript
          </Button>
          <Button size="small" onClick={() => void retryWithFreshSession(seat.id, turn.id, false)}>
            Fresh session, empty
          </Button>
        </>
      );
    case 'choose-directory':
      return (
        <Button size="small" onClick={() => void chooseOtherDirectory(turn.conversationId)}>
          Choose another directory
        </Button>
      );
    case 'without-attachment': {
      const name =
        outcome.kind === 'failed' && outcome.cause.kind === 'attachment-unreadable' ? outcome.cause.name : '';
      const named = turn.attachments.filter((attachment) => attachment.name === name).map(({ id }) => id);
      return (
        <Button size="small" onClick={() => void sendAgain(turn.id, seat?.id, named)}>
          Try without “{name}”
        </Button>
      );
    }
  }
}

/** Sends the message again when the limit is over; what waits for that already is said instead. */
function ContinueThen({ turn, seat, at }: { turn: Turn; seat: Seat | undefined; at: number }) {
  const now = useNow('minute');
  const startAt = useConversation(({ view }) => scheduledAgain(view, turn, seat)?.startAt ?? null);
  if (startAt !== null) {
    return (
      <span className="flex min-h-6 items-center gap-1.5 text-sm text-ink-2">
        <CalendarClock size={14} aria-hidden="true" />
        It waits below and goes out {momentText(startAt, now)}.
      </span>
    );
  }
  if (at <= now) return null;
  return (
    <Button size="small" onClick={() => void continueThen(turn.id, seat?.id, at)}>
      <CalendarClock size={13} aria-hidden="true" />
      Continue {momentText(at, now)}
    </Button>
  );
}

function TryAgain({ turn, seat }: { turn: Turn; seat: Seat | undefined }) {
  return (
    <Button size="small" onClick={() => void sendAgain(turn.id, seat?.id)}>
      Try again
    </Button>
  );
}
