import type { CallResult } from '../../../src-shared/api.ts';
import type { EvidenceRow } from '../../../src-shared/conversations.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import { EVIDENCE_PAGE_SIZE } from '../../../src-shared/limits.ts';
import { MAX_FOUND_EVIDENCE, MAX_KEPT_EVIDENCE_PAGES } from '../limits.ts';

/** Reads rows from `offset`, at most a page of them. */
export type ReadEvidence = (offset: number) => Promise<CallResult<{ rows: EvidenceRow[]; total: number }>>;

/** A row and its place among all of them, from 0. */
export interface NumberedRow {
  readonly index: number;
  readonly row: EvidenceRow;
}

export interface Found {
  readonly text: string;
  readonly rows: readonly NumberedRow[];
  /** Rows that were looked at; less than the total while it is searching, or when it stopped at its limit. */
  readonly searched: number;
  readonly isLimited: boolean;
}

export interface EvidenceState {
  /** `null` until the first page has come. */
  readonly total: number | null;
  readonly pages: ReadonlyMap<number, readonly EvidenceRow[]>;
  readonly found: Found | null;
  readonly failure: Failure | null;
}

export const NO_EVIDENCE: EvidenceState = { total: null, pages: new Map(), found: null, failure: null };

export function rowAt(state: EvidenceState, index: number): EvidenceRow | undefined {
  return state.pages.get(Math.floor(index / EVIDENCE_PAGE_SIZE))?.[index % EVIDENCE_PAGE_SIZE];
}

function matches({ description, resultSummary, source }: EvidenceRow, lowerText: string): boolean {
  return [description, resultSummary, source].some((field) => field.toLowerCase().includes(lowerText));
}

export interface EvidencePages {
  /** Makes sure that the rows around `index` are there, or on their way. */
  need(index: number): void;
  /** More was reported: the last page is read again. */
  grow(): void;
  /** Looks through all rows for a text; the empty text ends that. */
  find(text: string): void;
  close(): void;
}

/** Pages of a long list, kept near where it is looked at. `change` is given every new state. */
export function createEvidencePages(read: ReadEvidence, change: (state: EvidenceState) => void): EvidencePages {
  let state = NO_EVIDENCE;
  let isClosed = false;
  let isGrowing = false;
  let mustGrow = false;
  const onTheWay = new Map<number, Promise<readonly EvidenceRow[] | null>>();

  function set(part: Partial<EvidenceState>): void {
    if (isClosed) return;
    state = { ...state, ...part };
    change(state);
  }

  async function fetchPage(page: number): Promise<readonly EvidenceRow[] | null> {
    const result = await read(page * EVIDENCE_PAGE_SIZE);
    onTheWay.delete(page);
    if (!result.ok) {
      set({ failure: result.error });
      return null;
    }
    const { rows, total } = result.value;
    // The page that is used last is kept longest: a Map remembers the order.
    const pages = new Map(state.pages);
    pages.delete(page);
    pages.set(page, rows);
    for (const oldest of pages.keys()) {
      if (pages.size <= MAX_KEPT_EVIDENCE_PAGES) break;
      pages.delete(oldest);
    }
    set({ pages, total: Math.max(total, state.total ?? 0), failure: null });
    return rows;
  }

  function load(page: number): Promise<readonly EvidenceRow[] | null> {
    const running = onTheWay.get(page);
    if (running !== undefined) return running;
    const fetched = fetchPage(page);
    onTheWay.set(page, fetched);
    return fetched;
  }

  async function growNow(): Promise<void> {
    if (isGrowing) {
      mustGrow = true;
      return;
    }
    isGrowing = true;
    do {
      mustGrow = false;
      const last = Math.floor((state.total ?? 0) / EVIDENCE_PAGE_SIZE);
      // A page that was on its way may not have the newest rows yet.
      await onTheWay.get(last);
      await load(last);
    } while (mustGrow && !isClosed);
    isGrowing = false;
    if (state.found !== null && state.found.searched < (state.total ?? 0)) void searchOn();
  }

  let isSearching = false;

  async function searchOn(): Promise<void> {
    if (isSearching) return;
    isSearching = true;
    while (!isClosed && state.found !== null && !state.found.isLimited && state.found.searched < (state.total ?? 0)) {
      const { text, searched } = state.found;
      const page = Math.floor(searched / EVIDENCE_PAGE_SIZE);
      const kept = state.pages.get(page);
      const isWhole = kept !== undefined && page * EVIDENCE_PAGE_SIZE + kept.length > searched;
      const rows = isWhole ? kept : await load(page);
      const start = page * EVIDENCE_PAGE_SIZE;
      // Fewer rows than were told of: to go on asking would not make them come.
      if (rows === null || start + rows.length <= searched) break;
      if (state.found === null || state.found.text !== text) continue;
      const lowerText = text.toLowerCase();
      const added = rows
        .map((row, at) => ({ index: start + at, row }))
        .filter(({ index, row }) => index >= searched && matches(row, lowerText));
      const all = [...state.found.rows, ...added];
      set({
        found: {
          text,
          rows: all.slice(0, MAX_FOUND_EVIDENCE),
          searched: start + rows.length,
          isLimited: all.length > MAX_FOUND_EVIDENCE,
        },
      });
    }
    isSearching = false;
  }

  void load(0);
  return {
    need(index) {
      const page = Math.floor(index / EVIDENCE_PAGE_SIZE);
      if (!state.pages.has(page) && state.failure === null) void load(page);
    },
    grow: () => void growNow(),
    find(text) {
      const wanted = text.trim();
      set({ found: wanted === '' ? null : { text: wanted, rows: [], searched: 0, isLimited: false } });
      if (wanted !== '') void searchOn();
    },
    close() {
      isClosed = true;
    },
  };
}
