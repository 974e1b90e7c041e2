import type { Turn } from '../../src-shared/conversations.ts';
import { never } from '../../src-shared/failure.ts';
import type { Part } from '../../src-shared/fold.ts';
import { type RowKey, rowKeys, rowOf } from '../state/rows.ts';
import type { ConversationView } from '../state/view.ts';

export interface Match {
  readonly row: RowKey;
  /** Which occurrence within the row, from 0. */
  readonly nth: number;
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'tool':
      return part.title;
    case 'denied':
      return `${part.what} ${part.reason}`;
    case 'notice':
      return part.text;
    // Folded on screen; a match that cannot be seen would only confuse.
    case 'thinking':
      return '';
    default:
      return never(part);
  }
}

/** What of a row is searched: what it shows without being unfolded. */
export function searchableText(turn: Turn, key: RowKey): string {
  const row = rowOf(key);
  if (row.kind === 'operator') return [turn.text, ...turn.attachments.map((attachment) => attachment.name)].join('\n');
  const state = turn.invocations.find((candidate) => candidate.invocationId === row.invocationId);
  return state === undefined ? '' : state.parts.map(partText).join('\n');
}

/** Positions of `query` in `text`, without regard to case and without overlap. */
export function occurrences(text: string, query: string): number[] {
  if (query === '') return [];
  const haystack = text.toLowerCase();
  const needle = query.toLowerCase();
  const found: number[] = [];
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

/** All matches in the loaded turns, from the top. */
export function findMatches(view: ConversationView, query: string): Match[] {
  if (query.trim() === '') return [];
  return rowKeys(view).flatMap((row) => {
    const turn = view.turns[rowOf(row).turnId];
    if (turn === undefined) return [];
    return occurrences(searchableText(turn, row), query).map((_at, nth) => ({ row, nth }));
  });
}
