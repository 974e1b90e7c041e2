import type { ReactNode, Ref } from 'react';

/*
 * The parts of a table whose rows are windowed: each row is placed by itself, which the elements of a real table do not
 * allow, so these are generic elements with the roles of one.
 */

export function TableBox({ label, rows, children }: { label: string; rows: number; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="table" aria-label={label} aria-rowcount={rows} className="flex min-h-0 flex-1 flex-col text-sm">
      {children}
    </div>
  );
}

/** The rows that stay, or with a `ref` those that scroll. */
export function RowGroup({
  ref,
  className,
  children,
}: {
  ref?: Ref<HTMLDivElement>;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div ref={ref} role="rowgroup" tabIndex={ref === undefined ? undefined : 0} className={className}>
      {children}
    </div>
  );
}

/** `index` counts from 1, the header included; a row that only adds to the one before it has none. */
export function TableRow({ index, className, children }: { index?: number; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: a row of a table is no control
    <div role="row" aria-rowindex={index} className={className}>
      {children}
    </div>
  );
}

export function ColumnHeader({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: a header of a table is no control
    <div role="columnheader" className="px-1.5 text-xs font-medium text-ink-3">
      {children}
    </div>
  );
}

export function Cell({ span, className, children }: { span?: number; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="cell" aria-colspan={span} className={className}>
      {children}
    </div>
  );
}
