/** A small input beside others in a row. */
export const INPUT =
  'machine min-h-7 rounded-md border border-line-strong bg-raised px-2 text-ink focus-visible:outline-2 focus-visible:-outline-offset-1';
