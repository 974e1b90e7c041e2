import { errorText } from '../../../src-shared/failure.ts';
import type { Outcome } from '../../../src-shared/outcome.ts';
import { agentById } from '../agents/index.ts';
import type { ConversationRecords, InvocationRecord } from '../conversations/index.ts';
import { endTree, readSpool } from '../process/index.ts';
import type { ArtifactService } from '../services/index.ts';
import type { SessionService } from './context.ts';
import { keptEvents } from './keptEvents.ts';
import type { InvocationLog } from './log.ts';
import { closeInvocation } from './meta.ts';
import type { AgentSettings } from './settings.ts';
import { OutputStream } from './stream.ts';

export interface RecoveryParts {
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly sessions: SessionService;
  readonly settings: AgentSettings;
}

/**
 * Closes an invocation whose engine died: ends what is left of its processes, reads what they printed through the same
 * reader as ever, and says that it was interrupted.
 */
export async function recover(parts: RecoveryParts, record: InvocationRecord, log: InvocationLog): Promise<void> {
  const { records, artifacts, sessions } = parts;
  const before = records.invocations.state(record.id);
  const ending = await endTree({ root: record.root, marker: record.id });
  if (before.started !== null) log.append(before.started);
  records.invocations.clearEvidence(record.id);
  const seat = records.seats.get(record.seatId);
  // The seat may have another agent by now; what was printed is this one's.
  const agent = agentById(before.started?.agent ?? seat.agent);
  const definition = seat.definitionId === null ? null : parts.settings.definition(seat.definitionId);
  const resuming = before.started?.resuming ?? null;
  // What a new session was called is known from the seat, once the program had begun to answer.
  const reader = agent.reader({ resuming, definition, opening: resuming === null ? seat.sessionId : null });
  const kept = keptEvents({
    cwd: before.started?.cwd ?? '/',
    images: records.attachments.sent(record.conversationId).map(({ path }) => path),
    replayed: before.started !== null && before.started.replay !== null,
  });
  const output = new OutputStream(
    reader,
    (reported) => {
      const event = kept(reported);
      if (event === null) return;
      log.append(event);
      if (event.type === 'session') sessions.save({ seatId: seat.id, id: event.sessionId });
    },
    definition?.encoding,
  );
  try {
    await readSpool(artifacts.path(record.run, record.stem, 'stdout'), (chunk) => output.push(chunk));
  } catch (error) {
    const text = `What it had printed could not be read: ${errorText(error)}.`;
    log.append({ type: 'notice', level: 'warning', text });
  }
  output.end();
  if (ending.left.length > 0) {
    log.append({
      type: 'notice',
      level: 'warning',
      text: `Still there after the last signal: ${ending.left.join(', ')}.`,
    });
  }
  const outcome: Outcome = { kind: 'interrupted', ended: ending.ended };
  const child = record.root === null ? null : { pid: record.root.pid, exit: null };
  await closeInvocation(artifacts, log, child, outcome);
}
