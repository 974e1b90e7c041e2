import { X } from 'lucide-react';
import { type Ref, useState } from 'react';
import { copyText } from '../../state/outside.ts';
import { CopyButton, classes, IconButton } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';
import { MAX_OPENED_LINE_BYTES } from '../limits.ts';
import type { DocumentState, FileDocument, Line } from './fileDocument.ts';
import type { Segment } from './marks.ts';
import { Rows, type RowsHandle } from './Rows.tsx';

const ROW_HEIGHT = 19;

interface OpenedLine {
  readonly number: number;
  readonly segments: readonly Segment[];
  readonly folded: boolean;
}

/** A text of any size, line by line, with what is no readable text marked. */
export function TextView({
  ref,
  label,
  document,
  state,
  marked,
}: {
  ref: Ref<RowsHandle>;
  label: string;
  document: FileDocument;
  state: DocumentState;
  /** The line that a search found. */
  marked: number | null;
}) {
  const [opened, setOpened] = useState<OpenedLine | null>(null);
  const digits = String(state.lineCount).length;

  async function open(number: number): Promise<void> {
    const line = await document.openLine(number);
    if (line !== null) setOpened({ number, ...line });
  }

  return (
    <>
      <Rows
        ref={ref}
        label={label}
        count={state.lineCount}
        rowHeight={ROW_HEIGHT}
        onShown={() => void document.fetch()}
      >
        {(number) => (
          <LineRow
            key={number}
            number={number}
            digits={digits}
            line={document.line(number)}
            isMarked={number === marked}
            onOpen={() => void open(number)}
          />
        )}
      </Rows>
      {opened !== null && <OpenedLineBox line={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Segments({ segments }: { segments: readonly Segment[] }) {
  return segments.map(({ text, isMark }, index) =>
    isMark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
      <span key={index} className="rounded-xs bg-warn-soft text-warn">
        {text}
      </span>
    ) : (
      text
    ),
  );
}

function LineRow({
  number,
  digits,
  line,
  isMarked,
  onOpen,
}: {
  number: number;
  digits: number;
  line: Line | undefined;
  isMarked: boolean;
  onOpen: () => void;
}) {
  return (
    <div
      className={classes('machine flex w-max min-w-full pr-3 whitespace-pre', isMarked && 'bg-accent-soft')}
      style={{ height: ROW_HEIGHT, lineHeight: `${ROW_HEIGHT}px` }}
    >
      <span
        aria-hidden="true"
        className="sticky left-0 mr-2 shrink-0 bg-code px-2 text-right text-ink-3 select-none"
        style={{ minWidth: `calc(${digits}ch + 1rem)` }}
      >
        {number + 1}
      </span>
      <span className="[tab-size:4]">{line === undefined ? '' : <Segments segments={line.segments} />}</span>
      {line !== undefined && line.folded > 0 && (
        <button
          type="button"
          aria-label={`Line ${number + 1}: show ${formatBytes(line.folded)} more`}
          onClick={onOpen}
          className="sticky right-2 ml-2 rounded-sm border border-line-strong bg-raised px-1.5 text-2xs text-ink-2 hover:text-ink"
        >
          … {formatBytes(line.folded)} more
        </button>
      )}
    </div>
  );
}

function OpenedLineBox({ line, onClose }: { line: OpenedLine; onClose: () => void }) {
  const text = line.segments.map((segment) => segment.text).join('');
  return (
    <section aria-label={`Line ${line.number + 1}`} className="flex max-h-1/2 shrink-0 flex-col border-t">
      <div className="flex items-center gap-1 px-3 py-0.5 text-xs text-ink-2">
        <span className="flex-1">
          Line {line.number + 1}
          {line.folded && `, its first ${formatBytes(MAX_OPENED_LINE_BYTES)}; save the file to see all of it`}
        </span>
        <CopyButton label="Copy the line" onCopy={() => copyText(text)} />
        <IconButton label="Close the line" icon={<X size={14} />} onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="machine min-h-0 overflow-auto bg-code px-3 py-2 whitespace-pre-wrap wrap-anywhere">
        <Segments segments={line.segments} />
      </pre>
    </section>
  );
}
