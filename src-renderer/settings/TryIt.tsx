import { Play, Square } from 'lucide-react';
import { answerOf } from '../../src-shared/fold.ts';
import { describeOutcome, formatDuration } from '../../src-shared/outcome.ts';
import { useNow } from '../state/clock.ts';
import { selectConversation } from '../state/intents.ts';
import { closeDialog } from '../state/stage.ts';
import { startTrial, stopTrial, type Trial, type TrialSubject, useTrial } from '../state/trials.ts';
import { Button, FailureBox, MachineBox, WorkingDot } from '../ui/index.ts';

/** Runs one real turn of an agent, and shows how it ended. */
export function TryIt({ subject, label }: { subject: TrialSubject; label: string }) {
  const trial = useTrial(subject);
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          aria-label={`Try it: ${label}`}
          disabled={trial?.state === 'running'}
          onClick={() => void startTrial(subject)}
        >
          <Play size={13} aria-hidden="true" />
          Try it
        </Button>
        {trial?.state === 'running' ? (
          <Running label={label} trial={trial} />
        ) : (
          <span className="text-sm text-ink-2">
            {trial === undefined && 'Runs one real turn in an empty directory; it costs what a short question costs.'}
          </span>
        )}
      </div>
      {trial?.state === 'refused' && <FailureBox sentence={trial.failure.message} hint={trial.failure.hint} />}
      {trial?.state === 'ended' && <Result trial={trial} label={label} />}
    </div>
  );
}

function Running({
  label,
  trial: { since, conversationId },
}: {
  label: string;
  trial: Extract<Trial, { state: 'running' }>;
}) {
  return (
    <>
      <Elapsed label={label} since={since} />
      {conversationId !== null && (
        <Button size="small" aria-label={`Stop the trial of ${label}`} onClick={() => void stopTrial(conversationId)}>
          <Square size={12} aria-hidden="true" />
          Stop
        </Button>
      )}
    </>
  );
}

function Elapsed({ label, since }: { label: string; since: number }) {
  const now = useNow('second');
  return (
    <span
      role="status"
      aria-label={`Trial of ${label}`}
      aria-live="off"
      className="flex items-center gap-2 text-sm text-ink-2 tabular-nums"
    >
      <WorkingDot />
      {`${label} is working, ${formatDuration(Math.max(0, now - since))}`}
    </span>
  );
}

function Result({
  trial: { conversationId, invocation },
  label,
}: {
  trial: Extract<Trial, { state: 'ended' }>;
  label: string;
}) {
  const outcome = invocation?.outcome ?? null;
  const answer = invocation === undefined ? null : answerOf(invocation);
  const open = (
    <Button
      size="small"
      onClick={() => {
        closeDialog();
        void selectConversation(conversationId);
      }}
    >
      Open the conversation
    </Button>
  );
  if (outcome?.kind === 'completed') {
    return (
      <section aria-label={`Trial of ${label}`} aria-live="polite" className="space-y-1.5">
        <p className="text-accent">It works: {label} answered.</p>
        {answer !== null && (
          <MachineBox label={`Answer of ${label}`} text={answer} className="max-h-24 rounded-md border border-line" />
        )}
        {open}
      </section>
    );
  }
  const { sentence, hint } =
    outcome === null ? { sentence: `The trial of ${label} did not end.`, hint: '' } : describeOutcome(outcome, label);
  const stderr = outcome?.kind === 'failed' ? outcome.stderrTail : '';
  return (
    <section aria-label={`Trial of ${label}`}>
      <FailureBox sentence={sentence} hint={hint} actions={open}>
        {answer !== null && (
          <MachineBox label={`Answer of ${label}`} text={answer} className="mt-2 max-h-24 rounded-md" />
        )}
        {stderr !== '' && <MachineBox label="End of stderr" text={stderr} className="mt-2 max-h-24 rounded-md" />}
      </FailureBox>
    </section>
  );
}
