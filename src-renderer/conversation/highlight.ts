import { occurrences } from './find.ts';

/** Attribute of the element that shows a row, with the row's key. */
export const ROW_ATTRIBUTE = 'data-row';

const MATCH = 'find-match';
const CURRENT = 'find-current';

/** Ranges of `query` in what an element shows, also across the borders of its text nodes. */
function rangesIn(element: Element, query: string): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const place = (at: number) => nodes.findLast(({ start }) => start <= at);
  return occurrences(text, query).flatMap((at) => {
    const first = place(at);
    const last = place(at + query.length - 1);
    if (first === undefined || last === undefined) return [];
    const range = document.createRange();
    range.setStart(first.node, at - first.start);
    range.setEnd(last.node, at + query.length - last.start);
    return [range];
  });
}

export function clearHighlights(): void {
  CSS.highlights.delete(MATCH);
  CSS.highlights.delete(CURRENT);
}

/** Marks the matches in the rows that are on screen, and returns the range of the current one if it is among them. */
export function highlightMatches(
  root: Element,
  query: string,
  current: { row: string; nth: number } | undefined,
): Range | null {
  clearHighlights();
  if (query.trim() === '') return null;
  const others: Range[] = [];
  let chosen: Range | null = null;
  for (const element of root.querySelectorAll(`[${ROW_ATTRIBUTE}] [data-searchable]`)) {
    const row = element.closest(`[${ROW_ATTRIBUTE}]`)?.getAttribute(ROW_ATTRIBUTE);
    const ranges = rangesIn(element, query);
    if (row === current?.row && current !== undefined && ranges.length > 0) {
      const index = Math.min(current.nth, ranges.length - 1);
      chosen = ranges[index] ?? null;
      ranges.splice(index, 1);
    }
    others.push(...ranges);
  }
  CSS.highlights.set(MATCH, new Highlight(...others));
  if (chosen !== null) CSS.highlights.set(CURRENT, new Highlight(chosen));
  return chosen;
}
