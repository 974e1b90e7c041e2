import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { FailureBox } from '../../ui/index.ts';
import { formatCount } from '../format.ts';
import { type Direction, SearchBox } from '../SearchBox.tsx';
import type { ByteSource } from '../source.ts';
import { FileDocument } from './fileDocument.ts';
import type { RowsHandle } from './Rows.tsx';
import { TextView } from './TextView.tsx';

/** A text with a line to search it. `size` is what is known of it from outside: when it grows, the rest is read. */
export function TextPane({
  label,
  source,
  size,
  lead,
  find = null,
}: {
  label: string;
  source: ByteSource;
  size: number;
  /** Stands before the line to search with. */
  lead: ReactNode;
  /** What is searched for, from the end, as soon as the text is there. */
  find?: string | null;
}) {
  const [document, setDocument] = useState<FileDocument | null>(null);

  // The document belongs to the pane: it is read while the pane is on screen, and no longer.
  useEffect(() => {
    const opened = new FileDocument(source);
    setDocument(opened);
    return () => opened.close();
  }, [source]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is what asks for the rest
  useEffect(() => {
    void document?.refresh();
  }, [document, size]);

  return document === null ? null : <OpenText label={label} document={document} lead={lead} size={size} find={find} />;
}

function OpenText({
  label,
  document,
  lead,
  size,
  find,
}: {
  label: string;
  document: FileDocument;
  lead: ReactNode;
  size: number;
  find: string | null;
}) {
  const state = useSyncExternalStore(document.subscribe, document.read);
  const rows = useRef<RowsHandle>(null);
  const searching = useRef<AbortController>(null);
  const match = useRef<number | null>(null);
  const [marked, setMarked] = useState<number | null>(null);
  const [message, setMessage] = useState('');

  async function search(text: string, direction: Direction): Promise<void> {
    searching.current?.abort();
    const controller = new AbortController();
    searching.current = controller;
    setMessage('Searching…');
    const last = match.current;
    const start = direction === 'next' ? 0 : size;
    const from = last === null ? start : direction === 'next' ? last + 1 : last;
    const found = await document.find(text, from, direction, controller.signal);
    if (controller.signal.aborted) return;
    match.current = found?.offset ?? null;
    setMarked(found?.line ?? null);
    setMessage(found === null ? 'No match' : `Line ${formatCount(found.line + 1)}`);
    if (found !== null) rows.current?.show(found.line);
  }

  // Once, when the text is first shown: what the operator searches for afterwards is theirs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  useEffect(() => {
    if (find !== null) void search(find, 'previous');
    return () => searching.current?.abort();
  }, []);

  function clear(): void {
    searching.current?.abort();
    match.current = null;
    setMarked(null);
    setMessage('');
  }

  if (state.failure !== null) {
    return (
      <div className="p-3">
        <FailureBox sentence={state.failure.message} hint={state.failure.hint} />
      </div>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b px-3 pb-1.5">
        {lead}
        <SearchBox
          label="Find in the file"
          message={message}
          onSearch={(text, direction) => void search(text, direction)}
          onClear={clear}
        />
        <span className="text-xs text-ink-2">
          {state.indexed < state.size
            ? `${Math.floor((state.indexed / state.size) * 100)} % read`
            : `${formatCount(state.lineCount)} ${state.lineCount === 1 ? 'line' : 'lines'}`}
        </span>
      </div>
      <TextView ref={rows} label={label} document={document} state={state} marked={marked} />
    </>
  );
}
