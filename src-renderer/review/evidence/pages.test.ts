import { describe, expect, it } from 'vitest';
import type { EvidenceRow } from '../../../src-shared/conversations.ts';
import { invocationId, seatId } from '../../../src-shared/ids.ts';
import { EVIDENCE_PAGE_SIZE } from '../../../src-shared/limits.ts';
import { MAX_FOUND_EVIDENCE, MAX_KEPT_EVIDENCE_PAGES } from '../limits.ts';
import { createEvidencePages, type EvidenceState, NO_EVIDENCE, type ReadEvidence, rowAt } from './pages.ts';

function row(position: number): EvidenceRow {
  return {
    invocationId: invocationId.parse('inv-20260101-000000-00000001'),
    seatId: seatId.parse('seat-20260101-000000-00000001'),
    position,
    id: `item_${position}`,
    description: `command ${position}`,
    exitCode: 0,
    resultSummary: position % 1000 === 7 ? 'Needle' : '',
    source: 'codex',
  };
}

/** Pages over a list that can grow, and a way to wait for what they come to. */
function rig(initial: number) {
  const rows = Array.from({ length: initial }, (_, position) => row(position));
  const reads: number[] = [];
  let state = NO_EVIDENCE;
  let waiting: { until: (state: EvidenceState) => boolean; resolve: () => void }[] = [];
  const read: ReadEvidence = async (offset) => {
    reads.push(offset);
    return { ok: true, value: { rows: rows.slice(offset, offset + EVIDENCE_PAGE_SIZE), total: rows.length } };
  };
  const pages = createEvidencePages(read, (next) => {
    state = next;
    for (const each of waiting) if (each.until(state)) each.resolve();
    waiting = waiting.filter((each) => !each.until(state));
  });
  return {
    pages,
    reads,
    rows,
    state: () => state,
    when: (until: (state: EvidenceState) => boolean) =>
      until(state) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ until, resolve })),
  };
}

describe('pages of evidence', () => {
  it('reads a page when a row of it is needed, once', async () => {
    const { pages, reads, state, when } = rig(100_000);
    await when((next) => next.total === 100_000);
    pages.need(90_001);
    pages.need(90_002);
    await when((next) => rowAt(next, 90_002) !== undefined);
    expect(rowAt(state(), 90_001)?.description).toBe('command 90001');
    expect(reads).toEqual([0, 90_000]);
  });

  it('keeps a bounded number of pages', async () => {
    const { pages, state, when } = rig(100_000);
    for (let page = 0; page < 40; page++) {
      pages.need(page * EVIDENCE_PAGE_SIZE);
      await when((next) => rowAt(next, page * EVIDENCE_PAGE_SIZE) !== undefined);
    }
    expect(state().pages.size).toBe(MAX_KEPT_EVIDENCE_PAGES);
  });

  it('shows rows that are reported while it is open, also when they come during a read', async () => {
    const { pages, rows, state, when } = rig(3);
    await when((next) => next.total === 3);
    rows.push(row(3));
    pages.grow();
    rows.push(row(4));
    pages.grow();
    await when((next) => next.total === 5);
    expect(rowAt(state(), 4)?.description).toBe('command 4');
  });

  it('begins with nothing and grows from there', async () => {
    const { pages, rows, state, when } = rig(0);
    await when((next) => next.total === 0);
    rows.push(row(0));
    pages.grow();
    await when((next) => next.total === 1);
    expect(rowAt(state(), 0)?.id).toBe('item_0');
  });

  it('finds a text in all rows, whatever its case, and goes on when more are reported', async () => {
    const { pages, rows, state, when } = rig(5_000);
    await when((next) => next.total === 5_000);
    pages.find('needle');
    await when((next) => next.found?.searched === 5_000);
    expect(state().found?.rows.map(({ index }) => index)).toEqual([7, 1007, 2007, 3007, 4007]);
    rows.push(...Array.from({ length: 10 }, (_, index) => row(5_000 + index)));
    pages.grow();
    await when((next) => next.found?.searched === 5_010);
    expect(state().found?.rows.at(-1)?.index).toBe(5_007);
    pages.find('');
    expect(state().found).toBeNull();
  });

  it('stops a search at its limit and says so', async () => {
    const { pages, state, when } = rig(MAX_FOUND_EVIDENCE + 1_000);
    await when((next) => next.total !== null);
    pages.find('command');
    await when((next) => next.found?.isLimited === true);
    expect(state().found?.rows).toHaveLength(MAX_FOUND_EVIDENCE);
  });

  it('tells a failure, and changes nothing after it was closed', async () => {
    const failure = { code: 'offline', message: 'gone', hint: '' };
    const states: EvidenceState[] = [];
    createEvidencePages(
      async () => ({ ok: false, error: failure }),
      (state) => states.push(state),
    );
    await Promise.resolve();
    await Promise.resolve();
    expect(states.at(-1)?.failure).toEqual(failure);

    const closed = rig(10);
    closed.pages.close();
    await Promise.resolve();
    await Promise.resolve();
    expect(closed.state()).toBe(NO_EVIDENCE);
  });
});
