import { ArrowDownToLine, SquareX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../src-shared/failure.ts';
import type { InvocationId } from '../../../src-shared/ids.ts';
import { copyText } from '../../state/outside.ts';
import { Button, CopyButton, FailureBox, IconButton } from '../../ui/index.ts';
import { type Direction, SearchBox } from '../SearchBox.tsx';
import { Segments } from '../Segments.tsx';
import type { Subject } from '../subject.ts';
import { type LiveSession, openSession, type Stream } from './session.ts';
import '@xterm/xterm/css/xterm.css';
import './live.css';

const STREAMS: readonly { value: Stream; label: string }[] = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
];

/** What the agent's process prints, as it prints it. */
export function LiveTab({ subject: { state } }: { subject: Subject }) {
  const [stream, setStream] = useState<Stream>('stdout');
  return (
    <LiveOutput
      key={`${state.invocationId} ${stream}`}
      invocationId={state.invocationId}
      hasEnded={state.outcome !== null}
      stream={stream}
      onStream={setStream}
    />
  );
}

function LiveOutput({
  invocationId,
  hasEnded,
  stream,
  onStream,
}: {
  invocationId: InvocationId;
  hasEnded: boolean;
  stream: Stream;
  onStream: (stream: Stream) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const session = useRef<LiveSession>(null);
  const [hasOutput, setHasOutput] = useState(false);
  const [isFinished, setIsFinished] = useState(false);
  const [follows, setFollows] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [found, setFound] = useState('');

  // The terminal and the watch live outside of React, for as long as the view is on screen.
  useEffect(() => {
    if (host.current === null) return;
    const opened = openSession(host.current, invocationId, stream, {
      onOutput: () => setHasOutput(true),
      onFinished: () => setIsFinished(true),
      onFollow: setFollows,
      onFailure: setFailure,
    });
    session.current = opened;
    return () => {
      session.current = null;
      opened.close();
    };
  }, [invocationId, stream]);

  // The last of the output may come after the last that was told of it.
  useEffect(() => {
    if (hasEnded) session.current?.finish();
  }, [hasEnded]);

  const search = (text: string, direction: Direction) =>
    setFound(session.current?.terminal.search(text, direction) === true ? '' : 'No match');

  const clear = () => {
    setFound('');
    session.current?.terminal.clearSearch();
  };

  return (
    <section aria-label="Live output" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 px-3 py-2">
        <Segments label="Stream" value={stream} options={STREAMS} onChange={onStream} />
        <SearchBox label="Find in the output" message={found} onSearch={search} onClear={clear} />
        <CopyButton
          label="Copy the selection, or all of it"
          onCopy={() => copyText(session.current?.terminal.text() ?? '')}
        />
        <IconButton label="Clear the selection" icon={<SquareX size={14} />} onClick={clear} />
        <Button
          size="small"
          look="quiet"
          aria-pressed={follows}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => {
            session.current?.terminal.follow(!follows);
            setFollows(!follows);
          }}
        >
          <ArrowDownToLine size={14} aria-hidden="true" />
          Follow
        </Button>
      </div>
      {failure !== null && (
        <div className="px-3 pb-2">
          <FailureBox sentence={failure.message} hint={failure.hint} />
        </div>
      )}
      <div className="relative mx-3 mb-3 min-h-0 flex-1 overflow-hidden rounded-lg bg-terminal py-2 pl-3">
        <div ref={host} className="live-terminal h-full" />
        {!hasOutput && failure === null && hasEnded === isFinished && (
          <p className="absolute inset-x-3 top-2.5 text-sm text-terminal-ink">
            {hasEnded ? `Nothing was printed on ${stream}.` : `Nothing on ${stream} yet.`}
          </p>
        )}
      </div>
    </section>
  );
}
