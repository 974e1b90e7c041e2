import type { ReactNode } from 'react';

/** Facts as pairs of a term and what is known. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">{children}</dl>;
}

export function Fact({ term, action, children }: { term: string; action?: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{term}</dt>
      <dd className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 wrap-anywhere">{children}</div>
        {action !== undefined && <span className="-my-1">{action}</span>}
      </dd>
    </>
  );
}

/** Text that came from a machine, within a line. */
export function Machine({ children }: { children: ReactNode }) {
  return <span className="machine wrap-anywhere">{children}</span>;
}

/** What an agent did not say, told apart from every value that it could have said. */
export function NotReported() {
  return <span className="text-ink-3 italic">not reported</span>;
}
