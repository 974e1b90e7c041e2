import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { EvidenceRow } from '../../../src-shared/conversations.ts';
import type { InvocationId } from '../../../src-shared/ids.ts';
import { useAgent } from '../../state/agents.ts';
import { useConversation, useSeat } from '../../state/conversation.ts';
import { reviewReportOf } from '../../state/intents.ts';
import { copyText } from '../../state/outside.ts';
import type { ConversationView } from '../../state/view.ts';
import { Button, CopyButton, classes, ExitChip, MachineBox, SeatBadge } from '../../ui/index.ts';
import { Cell, ColumnHeader, RowGroup, TableBox, TableRow } from './grid.tsx';
import { type EvidenceState, rowAt } from './pages.ts';

/** The height of a closed row, in CSS pixels, until it is measured. */
const ROW_HEIGHT = 33;
/** Characters of a command or a result that a closed row holds; it shows fewer. */
const CELL_LENGTH = 200;
const COLUMNS = ['Seat', 'Command', 'Exit', 'Result', 'Source'] as const;
const GRID = 'grid grid-cols-[2.5rem_minmax(0,2fr)_6.25rem_minmax(0,1.1fr)_3.75rem] items-center';

/**
 * A table of any length. Only rows near the view are in the page; `aria-rowcount` and `aria-rowindex` say which of how
 * many they are.
 */
export function EvidenceTable({ state, need }: { state: EvidenceState; need: (index: number) => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const count = state.found === null ? (state.total ?? 0) : state.found.rows.length;

  function toggle(key: string): void {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  }

  function renderRow(at: number) {
    const numbered = state.found?.rows[at];
    const index = numbered?.index ?? at;
    const row = numbered?.row ?? rowAt(state, index);
    if (row === undefined) return <PendingRow key={index} index={index} need={need} />;
    const key = `${row.invocationId} ${row.position}`;
    return <Row key={key} index={index} row={row} isOpen={opened.has(key)} onToggle={() => toggle(key)} />;
  }

  return (
    <TableBox label="Command evidence" rows={(state.total ?? 0) + 1}>
      <RowGroup className="shrink-0 overflow-y-hidden border-b px-2 [scrollbar-gutter:stable]">
        <TableRow index={1} className={classes(GRID, 'min-h-7')}>
          {COLUMNS.map((name) => (
            <ColumnHeader key={name}>{name}</ColumnHeader>
          ))}
        </TableRow>
      </RowGroup>
      <RowGroup
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto px-2 outline-offset-[-2px] [scrollbar-gutter:stable]"
      >
        <Virtualizer scrollRef={scroller} data={{ length: count }} itemSize={ROW_HEIGHT}>
          {(_row: unknown, at: number) => renderRow(at)}
        </Virtualizer>
      </RowGroup>
    </TableBox>
  );
}

function PendingRow({ index, need }: { index: number; need: (index: number) => void }) {
  // Being on screen is what asks for the page.
  useEffect(() => need(index), [index, need]);
  return (
    <TableRow index={index + 2} className="h-[33px] border-t">
      <Cell className="px-1.5 py-1 text-ink-3">…</Cell>
    </TableRow>
  );
}

function SeatCell({ row }: { row: EvidenceRow }) {
  const seat = useSeat(row.seatId);
  const agent = useAgent(seat?.agent);
  const name = seat?.name ?? 'A seat that is gone';
  return (
    <span title={name} className="flex items-center">
      {agent !== undefined && <SeatBadge letter={agent.letter} hue={agent.hue} />}
      <span className={agent === undefined ? 'truncate' : 'sr-only'}>{name}</span>
    </span>
  );
}

/** The first line that says something, as far as a cell holds it. */
function firstLine(text: string): string {
  return text.slice(0, CELL_LENGTH).trimStart().split('\n', 1)[0] ?? '';
}

/** What tells a result best in one line: its last. */
function lastLine(text: string): string {
  return text.slice(-CELL_LENGTH).trimEnd().split('\n').at(-1) ?? '';
}

function Row({
  index,
  row,
  isOpen,
  onToggle,
}: {
  index: number;
  row: EvidenceRow;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const cell = 'min-w-0 px-1.5 py-1';
  return (
    <div className="border-t">
      <TableRow index={index + 2} className={GRID}>
        <Cell className={cell}>
          <SeatCell row={row} />
        </Cell>
        <Cell className={cell}>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex min-h-6 w-full items-center gap-1 rounded-sm text-left hover:text-accent"
          >
            <ChevronRight
              size={13}
              aria-hidden="true"
              className={classes('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
            />
            <span className="machine min-w-0 truncate">{firstLine(row.description) || '(no command text)'}</span>
          </button>
        </Cell>
        <Cell className={cell}>
          <ExitChip exitCode={row.exitCode} short />
        </Cell>
        <Cell className={classes(cell, 'machine truncate text-ink-2')}>{lastLine(row.resultSummary)}</Cell>
        <Cell className={classes(cell, 'truncate text-ink-2')}>{row.source}</Cell>
      </TableRow>
      {isOpen && <Details row={row} />}
    </div>
  );
}

function Details({ row }: { row: EvidenceRow }) {
  return (
    <TableRow>
      <Cell span={COLUMNS.length} className="px-1.5 pt-1 pb-3">
        <Detail label="Command" text={row.description} />
        {row.resultSummary === '' ? (
          <p className="mt-2 text-ink-2">No output was reported.</p>
        ) : (
          <Detail label="End of its output" text={row.resultSummary} />
        )}
        <p className="mt-2 text-ink-3 wrap-anywhere">
          {row.exitCode === null ? 'Exit code not reported' : `Exit code ${row.exitCode}`}, as item{' '}
          <span className="machine">{row.id}</span> of the {row.source} event stream.
        </p>
        <WholeOutputButton row={row} />
      </Cell>
    </TableRow>
  );
}

/** The tail is bounded; the event stream that it was read from is not. */
function WholeOutputButton({ row }: { row: EvidenceRow }) {
  const conversationId = useConversation(({ view }) => view?.conversation.id ?? null);
  const stem = useConversation(({ view }) => stemOf(view, row.invocationId));
  if (conversationId === null || stem === null) return null;
  return (
    <Button size="small" onClick={() => reviewReportOf(conversationId, row, stem)}>
      Whole output in Artifacts
    </Button>
  );
}

function stemOf(view: ConversationView | null, invocationId: InvocationId): string | null {
  for (const turn of Object.values(view?.turns ?? {})) {
    const invocation = turn.invocations.find((candidate) => candidate.invocationId === invocationId);
    if (invocation !== undefined) return invocation.started?.stem ?? null;
  }
  return null;
}

function Detail({ label, text }: { label: string; text: string }) {
  return (
    <>
      <div className="flex min-h-7 items-center gap-1 text-xs font-semibold text-ink-3">
        <span className="flex-1">{label}</span>
        <CopyButton label={`Copy: ${label.toLowerCase()}`} onCopy={() => copyText(text)} />
      </div>
      <MachineBox label={label} text={text} className="rounded-md border" />
    </>
  );
}
