import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { RunId } from '../../../src-shared/ids.ts';
import { useNow } from '../../state/clock.ts';
import { loadEarlierTurns, useConversation } from '../../state/conversation.ts';
import { useReview } from '../../state/review.ts';
import { Button } from '../../ui/index.ts';
import type { Subject } from '../subject.ts';
import { ArtifactTree, type RunEntry } from './ArtifactTree.tsx';
import { type FileChoice, useArtifacts } from './useArtifacts.ts';
import { Viewer } from './Viewer.tsx';

/** The runs that have left anything, newest first. Their texts are compared, not the turns that change while streaming. */
function useRuns(): RunEntry[] {
  const turnIds = useConversation(
    useShallow(({ view }) => (view?.turnIds ?? []).filter((id) => (view?.turns[id]?.invocations.length ?? 0) > 0)),
  );
  const view = useConversation.getState().view;
  return turnIds.toReversed().flatMap((id) => {
    const turn = view?.turns[id];
    if (turn === undefined) return [];
    const { run, position } = turn;
    const title = turn.text.trim().split('\n', 1)[0]?.slice(0, MAX_TITLE) ?? '';
    return [{ run, title: `Turn ${position + 1}${title === '' ? '' : `: ${title}`}` }];
  });
}

const MAX_TITLE = 120;

/** The files that runs left: what was sent, what was printed, and how it was started. */
export function ArtifactsTab({ subject }: { subject: Subject }) {
  const runs = useRuns();
  const earlierTurns = useConversation((state) => state.view?.earlierTurns ?? 0);
  const isLoadingEarlier = useConversation((state) => state.loadingEarlier);
  const { files, load } = useArtifacts();
  /** What the operator opened or closed; otherwise the run under review is open and no other. */
  const [turned, setTurned] = useState<ReadonlyMap<RunId, boolean>>(new Map());
  const opened = new Set(runs.map(({ run }) => run).filter((run) => turned.get(run) ?? run === subject.turn.run));
  const [choice, setChoice] = useState<FileChoice | null>(null);
  const choose = (file: FileChoice) => {
    useReview.getState().seek(null);
    setChoice(file);
  };
  const isRunning = useConversation(({ view }) => view?.turns[subject.turn.id]?.state === 'running');

  const sought = useReview((state) =>
    state.sought?.invocationId === subject.state.invocationId ? state.sought : null,
  );
  const shown = choice ?? (sought === null ? promptOf(subject) : { run: subject.turn.run, name: sought.name });
  const known = shown === null ? undefined : files.get(shown.run);
  const artifact = known?.kind === 'files' ? known.artifacts.find(({ name }) => name === shown?.name) : undefined;

  function turn(run: RunId, open: boolean): void {
    setTurned(new Map(turned).set(run, open));
    if (open) void load(run);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {/* The run under review is listed when it is shown, as it grows, and once more when it has ended. */}
      <Loader key={`${subject.turn.run} ${isRunning}`} run={subject.turn.run} isRunning={isRunning} load={load} />
      <div className="max-h-2/5 shrink-0 overflow-y-auto px-2 py-1.5">
        <ArtifactTree runs={runs} files={files} opened={opened} choice={shown} onTurn={turn} onChoose={choose} />
        {earlierTurns > 0 && (
          <Button size="small" look="quiet" disabled={isLoadingEarlier} onClick={() => void loadEarlierTurns()}>
            {isLoadingEarlier ? 'Loading earlier turns…' : `Load ${earlierTurns} earlier`}
          </Button>
        )}
      </div>
      {artifact === undefined ? (
        <section aria-label="Artifact" className="border-t px-4 py-3 text-sm text-ink-2">
          {known === undefined ? 'Loading…' : 'Choose a file to read it.'}
        </section>
      ) : (
        <Viewer
          key={`${artifact.run}/${artifact.name} ${sought?.find ?? ''}`}
          artifact={artifact}
          find={artifact.name === sought?.name ? sought.find : null}
        />
      )}
    </div>
  );
}

function promptOf({ state, turn }: Subject): FileChoice | null {
  return state.started === null ? null : { run: turn.run, name: `${state.started.stem}.prompt.md` };
}

function Loader({ run, isRunning, load }: { run: RunId; isRunning: boolean; load: (run: RunId) => Promise<void> }) {
  const [start] = useState(() => load);
  useEffect(() => void start(run), [run, start]);
  return isRunning ? <Ticker run={run} load={start} /> : null;
}

/** Asks for the sizes of growing files once a second. */
function Ticker({ run, load }: { run: RunId; load: (run: RunId) => Promise<void> }) {
  const now = useNow('second');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the second that passed is what asks again
  useEffect(() => void load(run), [run, load, now]);
  return null;
}
