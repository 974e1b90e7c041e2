import { CircleStop } from 'lucide-react';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import { describeOutcome, type Outcome } from '../../src-shared/outcome.ts';
import { chooseOtherDirectory, retryWithFreshSession, sendAgain } from '../state/intents.ts';
import { openDialog } from '../state/stage.ts';
import { Button, FailureBox, Fold, MachineBox } from '../ui/index.ts';

/** How a seat's work ended, when that needs words: what happened, what can be done, and the button that does it. */
export function OutcomeNote({
  outcome,
  turn,
  seat,
  agentLabel,
}: {
  outcome: Outcome;
  turn: Turn;
  seat: Seat | undefined;
  agentLabel: string;
}) {
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
        actions={<NextStepButton outcome={outcome} turn={turn} seat={seat} agentLabel={agentLabel} />}
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

function NextStepButton({
  outcome,
  turn,
  seat,
  agentLabel,
}: {
  outcome: Outcome;
  turn: Turn;
  seat: Seat | undefined;
  agentLabel: string;
}) {
  const { step } = describeOutcome(outcome, agentLabel);
  switch (step) {
    case 'none':
      return null;
    case 'agents':
      return (
        <>
          <Button size="small" onClick={() => openDialog({ kind: 'settings' })}>
            Check agents
          </Button>
          <TryAgain turn={turn} />
        </>
      );
    case 'send-again':
      return <TryAgain turn={turn} />;
    case 'fresh-session':
      if (seat === undefined) return null;
      return (
        <Button size="small" onClick={() => void retryWithFreshSession(seat.id, turn.id)}>
          Retry with a fresh session
        </Button>
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
        <Button size="small" onClick={() => void sendAgain(turn.id, named)}>
          Try without “{name}”
        </Button>
      );
    }
  }
}

function TryAgain({ turn }: { turn: Turn }) {
  return (
    <Button size="small" onClick={() => void sendAgain(turn.id, [])}>
      Try again
    </Button>
  );
}
