import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StartedEvent } from '../../../src-shared/events.ts';
import type { InvocationState } from '../../../src-shared/fold.ts';
import { describeOutcome, formatDuration } from '../../../src-shared/outcome.ts';
import { useAgentLabel } from '../../state/agentNames.ts';
import { useAgent } from '../../state/agents.ts';
import { useNow } from '../../state/clock.ts';
import { copyText } from '../../state/outside.ts';
import { CopyButton, FailureBox, MachineBox, WorkingDot } from '../../ui/index.ts';
import { DenialList } from '../DenialList.tsx';
import { denialsOf, omittedDenials } from '../denials.ts';
import { formatMoment, quoteArgument } from '../format.ts';
import type { Subject } from '../subject.ts';
import { Compared } from './Compared.tsx';
import { Deliveries } from './Deliveries.tsx';
import { Fact, Facts, Machine } from './Facts.tsx';
import { Grants } from './Grants.tsx';
import { Limits } from './Limits.tsx';
import { SessionFact } from './SessionFact.tsx';
import { UsageFacts } from './UsageFacts.tsx';

/** How one invocation was started, with what, and how it ended. */
export function RunTab({ subject }: { subject: Subject }) {
  const { state } = subject;
  return (
    <section
      aria-label="Run details"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-4 py-3 text-sm outline-offset-[-2px]"
    >
      <OutcomeBlock subject={subject} />
      {state.started !== null && <StartedBlocks subject={subject} started={state.started} />}
    </section>
  );
}

function OutcomeBlock({ subject }: { subject: Subject }) {
  const { outcome } = subject.state;
  const label = useAgentLabel(subject.state.started?.agent, subject.seat);
  if (outcome === null) return <Progress label={label} since={subject.state.started?.at ?? null} />;
  const { sentence, hint } = describeOutcome(outcome, label);
  if (outcome.kind !== 'failed' && outcome.kind !== 'timed-out') {
    return (
      <p className="wrap-anywhere">
        <b className="font-semibold">{sentence}</b> {hint !== '' && <span className="text-ink-2">{hint}</span>}
      </p>
    );
  }
  const tail = outcome.kind === 'failed' ? outcome.stderrTail.trim() : '';
  return (
    <>
      <FailureBox sentence={sentence} hint={hint} />
      {tail !== '' && (
        <Block title="End of the error output" action={<CopyOf label="Copy the error output" text={tail} />}>
          <MachineBox label="End of the error output" text={tail} className="rounded-lg border" />
        </Block>
      )}
    </>
  );
}

function Progress({ label, since }: { label: string; since: number | null }) {
  const now = useNow('second');
  return (
    <p className="flex items-center gap-2">
      <WorkingDot />
      {since === null
        ? `${label} is being started.`
        : `${label} is working, ${formatDuration(Math.max(0, now - since))}.`}
    </p>
  );
}

export function Block({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-4">
      <div className="mb-1 flex min-h-7 items-center gap-2">
        <h2 className="flex-1 text-xs font-semibold text-ink-3">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function CopyOf({ label, text }: { label: string; text: string }) {
  return <CopyButton label={label} onCopy={() => copyText(text)} />;
}

function StartedBlocks({ subject, started }: { subject: Subject; started: StartedEvent }) {
  const { turn, state, seat } = subject;
  const label = useAgentLabel(started.agent, seat);
  const commandLine = started.commandLine.map(quoteArgument).join(' ');
  return (
    <>
      <Block title="Receipts">
        <Facts>
          <SessionFact state={state} started={started} />
          <Fact term="Images">
            <Deliveries attachments={turn.attachments} started={started} opened={state.opened} agentLabel={label} />
          </Fact>
          <Fact term="Grants">
            <Grants grants={started.grants} />
          </Fact>
          {started.caveats.length > 0 && (
            <Fact term="Stays open">
              <Caveats caveats={started.caveats} />
            </Fact>
          )}
        </Facts>
      </Block>
      <Denied state={state} />
      <Block title="Compared with the seat’s turn before">
        <Compared started={started} />
      </Block>
      <Block
        title="Command line"
        action={commandLine !== '' && <CopyOf label="Copy the command line" text={commandLine} />}
      >
        {commandLine === '' ? (
          <p className="text-ink-2">Nothing could be started.</p>
        ) : (
          <MachineBox label="Command line" text={commandLine} className="rounded-lg border" />
        )}
      </Block>
      <Block title="How it ran">
        <Facts>
          <Fact term="Seat">{seat === undefined ? 'No longer at the table' : seat.name}</Fact>
          <AgentFact started={started} />
          <Fact term="Model">{started.model ?? 'the agent’s default'}</Fact>
          <Fact term="Access">{started.access === 'read-only' ? 'Read-only' : 'Can write'}</Fact>
          <Fact term="Directory">
            <Machine>{started.cwd}</Machine>
          </Fact>
          <Fact term="Variables">
            {started.environment.length === 0 ? (
              'none set by Parley'
            ) : (
              <Machine>{started.environment.join(' ')}</Machine>
            )}
          </Fact>
        </Facts>
      </Block>
      <Block title="Time and usage">
        <Facts>
          <Fact term="Started">
            <time dateTime={new Date(started.at).toISOString()}>{formatMoment(started.at)}</time>
          </Fact>
          <Fact term="Took">
            {state.endedAt === null ? 'not ended yet' : formatDuration(state.endedAt - started.at)}
          </Fact>
          <Limits invocationId={state.invocationId} started={started} isRunning={state.outcome === null} />
          <UsageFacts usage={state.usage} />
        </Facts>
      </Block>
      <Block title="Filed as">
        <Facts>
          <IdFact term="Run" id={started.run} />
          <IdFact term="Node" id={started.node} />
          <IdFact term="Invocation" id={state.invocationId} />
          <IdFact term="Artifacts" id={started.stem} />
          <Fact term="Asked from">{ORIGINS[started.origin]}</Fact>
        </Facts>
      </Block>
    </>
  );
}

/** What the agent's sandbox leaves open although the seat should not have it. */
function Caveats({ caveats }: { caveats: readonly string[] }) {
  return (
    <ul aria-label="What stays open" className="flex flex-col gap-1">
      {caveats.map((caveat) => (
        <li key={caveat} className="flex items-start gap-1.5">
          <TriangleAlert size={13} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0">{caveat}</span>
        </li>
      ))}
    </ul>
  );
}

function Denied({ state }: { state: InvocationState }) {
  const omitted = omittedDenials(state);
  if (state.deniedCount === 0) return null;
  return (
    <Block title="Denied">
      <DenialList label="Denied calls" denials={denialsOf(state)} />
      {omitted > 0 && <p className="mt-1 text-ink-2">{omitted} more, earlier ones; the artifacts have them.</p>}
    </Block>
  );
}

const ORIGINS = { cli: 'the command line', web: 'the window', api: 'the API' } as const;

function IdFact({ term, id }: { term: string; id: string }) {
  return (
    <Fact term={term} action={<CopyOf label={`Copy the ${term.toLowerCase()} id`} text={id} />}>
      <Machine>{id}</Machine>
    </Fact>
  );
}

/** The version is that of now: what the invocation itself ran is not recorded. */
function AgentFact({ started }: { started: StartedEvent }) {
  const agent = useAgent(started.agent);
  const version = agent?.availability.kind === 'found' ? agent.availability.version : null;
  return (
    <Fact term="Agent">
      {agent?.label ?? started.agent}
      <span className="text-ink-2">{version === null ? '' : ` (installed: ${version})`}</span>
    </Fact>
  );
}
