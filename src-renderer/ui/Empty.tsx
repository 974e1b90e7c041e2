import type { ReactNode } from 'react';

/** What a place shows when there is nothing in it: why, and what to do. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-10 text-center">
      <p className="text-lg font-semibold">{title}</p>
      {children !== undefined && <div className="mt-1 text-ink-2">{children}</div>}
      {actions !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
