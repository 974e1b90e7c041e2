import { MAX_SCROLL_HEIGHT } from '../limits.ts';

/** A list of rows of one height in a box that scrolls. Heights are CSS pixels. */
export interface Geometry {
  readonly rows: number;
  readonly rowHeight: number;
  readonly viewport: number;
}

/** Where a list stands: the row at the top, with its fraction, and the scroll offset that goes with it. */
export interface Place {
  readonly row: number;
  readonly scrollTop: number;
}

/** The height of what scrolls. A list that is taller than Chromium lays out is shown in proportion. */
export function scrollHeight({ rows, rowHeight }: Geometry): number {
  return Math.min(rows * rowHeight, MAX_SCROLL_HEIGHT);
}

function maxRow({ rows, rowHeight, viewport }: Geometry): number {
  return Math.max(0, rows - viewport / rowHeight);
}

/** The place that has `row` at its top, as far as there are rows below it to fill the box. */
export function placeOf(row: number, geometry: Geometry): Place {
  const last = maxRow(geometry);
  const kept = Math.min(Math.max(0, row), last);
  const range = Math.max(0, scrollHeight(geometry) - geometry.viewport);
  return { row: kept, scrollTop: last === 0 ? 0 : (kept / last) * range };
}

/**
 * The place after the box was scrolled. In proportion, a pixel can be many rows: a short way is taken as a wheel's or a
 * key's and moves by as many rows as it would in a short list, a long way as the scroll bar's.
 */
export function scrolledTo(scrollTop: number, before: Place, geometry: Geometry): Place {
  const range = Math.max(0, scrollHeight(geometry) - geometry.viewport);
  const last = maxRow(geometry);
  const isInProportion = geometry.rows * geometry.rowHeight > MAX_SCROLL_HEIGHT;
  const way = scrollTop - before.scrollTop;
  if (isInProportion && Math.abs(way) <= geometry.viewport) {
    return placeOf(before.row + way / geometry.rowHeight, geometry);
  }
  return { row: range === 0 ? 0 : (scrollTop / range) * last, scrollTop };
}
