import type { SeatEventBody, StartedEvent, Usage } from '../../../src-shared/events.ts';
import { errorText } from '../../../src-shared/failure.ts';
import type { InvocationState } from '../../../src-shared/fold.ts';
import type { Outcome } from '../../../src-shared/outcome.ts';
import type { ArtifactService } from '../services/index.ts';
import { writeFileAtomic } from '../storage/index.ts';
import type { InvocationLog } from './log.ts';

/** What is written down of an invocation when it has ended: `<stem>.meta.json`. */
interface Meta {
  readonly schema: 1;
  readonly invocationId: string;
  readonly started: Omit<StartedEvent, 'type'> | null;
  readonly session: InvocationState['session'];
  readonly process: {
    readonly pid: number;
    readonly exit: { code: number | null; signal: string | null } | null;
  } | null;
  readonly output: { readonly stdoutBytes: number; readonly stderrBytes: number };
  readonly evidenceCount: number;
  readonly usage: Usage | null;
  readonly outcome: Outcome;
  readonly endedAt: number;
  readonly durationMs: number | null;
}

interface MetaFacts {
  readonly state: InvocationState;
  readonly process: Meta['process'];
  readonly ended: Extract<SeatEventBody, { type: 'ended' }>;
}

async function writeMeta(artifacts: ArtifactService, facts: MetaFacts): Promise<void> {
  const { state, ended } = facts;
  if (state.started === null) return;
  const { type: _type, ...started } = state.started;
  const sizes = await artifacts.sizes(started.run, started.stem);
  const meta: Meta = {
    schema: 1,
    invocationId: state.invocationId,
    started,
    session: state.session,
    process: facts.process,
    output: { stdoutBytes: sizes.stdout, stderrBytes: sizes.stderr },
    evidenceCount: state.evidenceCount,
    usage: state.usage,
    outcome: ended.outcome,
    endedAt: ended.at,
    durationMs: ended.at - started.at,
  };
  const path = artifacts.path(started.run, started.stem, 'meta');
  await writeFileAtomic(path, `${JSON.stringify(meta, null, 2)}\n`);
}

/** Writes the record, then says that the invocation has ended: whoever hears that finds the record there. */
export async function closeInvocation(
  artifacts: ArtifactService,
  log: InvocationLog,
  child: Meta['process'],
  outcome: Outcome,
): Promise<void> {
  const ended = { type: 'ended', outcome, at: Date.now() } as const;
  try {
    await writeMeta(artifacts, { state: log.state, process: child, ended });
  } catch (error) {
    const text = `The record of this run could not be written: ${errorText(error)}.`;
    log.append({ type: 'notice', level: 'warning', text });
  }
  log.append(ended);
  log.close();
}
