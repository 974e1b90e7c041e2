import { never } from '../../../src-shared/failure.ts';
import { MAX_SPOOL_BYTES } from '../../../src-shared/limits.ts';
import type { Cause, Outcome } from '../../../src-shared/outcome.ts';
import type { Agent, Ending, ReaderReport } from '../agents/index.ts';
import type { ChildResult } from '../process/index.ts';

export interface OutcomeFacts {
  readonly result: ChildResult;
  readonly report: ReaderReport;
  readonly stderrTail: string;
  readonly stdoutTail: string;
  readonly resuming: string | null;
  readonly sessionReported: boolean;
  readonly answered: boolean;
  readonly model: string | null;
  readonly at: number;
  readonly definition: Ending['definition'];
}

/** How an invocation ended. What Parley itself did outranks what the agent makes of it. */
export function decideOutcome(agent: Agent, facts: OutcomeFacts): Outcome {
  const { end, tree } = facts.result;
  const failed = (cause: Cause): Outcome => ({ kind: 'failed', cause, stderrTail: facts.stderrTail });
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled', ended: tree.ended };
    case 'timed-out':
      return { kind: 'timed-out', clock: end.clock, limitMs: end.limitMs, ended: tree.ended };
    case 'not-started':
      return failed({ kind: 'spawn', detail: end.detail });
    case 'disk-full':
      return failed({ kind: 'disk-full', freeBytes: end.freeBytes });
    case 'output-limit':
      return failed({ kind: 'output-limit', limitBytes: MAX_SPOOL_BYTES });
    case 'exited': {
      const { report, stderrTail, stdoutTail, resuming, sessionReported, answered, model, at, definition } = facts;
      const exit = { code: end.code, signal: end.signal };
      const ending: Ending = {
        exit,
        report,
        stderrTail,
        stdoutTail,
        resuming,
        sessionReported,
        answered,
        model,
        at,
        definition,
      };
      const cause = agent.explain(ending);
      return cause === null ? { kind: 'completed' } : failed(cause);
    }
    default:
      return never(end);
  }
}
