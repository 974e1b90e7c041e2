import type { RowKey } from '../state/rows.ts';

/** What the find bar searches: the mounted transcript. */
export interface FindTarget {
  readonly root: HTMLElement;
  /** Scrolls a row into view, drawing it first if need be. */
  show(row: RowKey): void;
}

let target: FindTarget | null = null;

/** Called by the transcript while it is mounted; returns the end of that. */
export function offerFindTarget(offered: FindTarget): () => void {
  target = offered;
  return () => {
    if (target === offered) target = null;
  };
}

export function findTarget(): FindTarget | null {
  return target;
}
