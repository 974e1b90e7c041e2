import { Timer } from 'lucide-react';
import type { StartedEvent } from '../../../src-shared/events.ts';
import type { InvocationId } from '../../../src-shared/ids.ts';
import { formatDuration } from '../../../src-shared/outcome.ts';
import { roughDuration } from '../../conversation/clockWords.ts';
import { useNow } from '../../state/clock.ts';
import { useConversation } from '../../state/conversation.ts';
import { giveMoreTime } from '../../state/intents.ts';
import { Button } from '../../ui/index.ts';
import { Fact } from './Facts.tsx';

/** Both limits as the run began with them, and what is left of them while it runs. */
export function Limits({
  invocationId,
  started,
  isRunning,
}: {
  invocationId: InvocationId;
  started: StartedEvent;
  isRunning: boolean;
}) {
  const clock = useConversation(({ view }) => view?.clocks[invocationId]);
  const { timeoutMs, idleTimeoutMs } = started;
  const running = isRunning ? clock : undefined;
  return (
    <>
      <Fact term="Time limit">
        {formatDuration(timeoutMs)}
        {running !== undefined && <Left at={running.wallEndsAt} />}
      </Fact>
      <Fact term="Idle limit">
        {idleTimeoutMs === null ? 'none' : `${formatDuration(idleTimeoutMs)} without output`}
        {running !== undefined &&
          idleTimeoutMs !== null &&
          (running.idleEndsAt === null ? ', standing still' : <Left at={running.idleEndsAt} />)}
        {running !== undefined && (
          <Button size="small" className="mt-1 flex" onClick={() => void giveMoreTime([invocationId])}>
            <Timer size={13} aria-hidden="true" />
            Give it more time
          </Button>
        )}
      </Fact>
    </>
  );
}

function Left({ at }: { at: number }) {
  return <span className="tabular-nums">, {roughDuration(at - useNow('second'))} left</span>;
}
