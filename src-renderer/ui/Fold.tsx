import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Something that is shown on demand. */
export function Fold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className="group/fold">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-md text-sm text-ink-2 hover:text-ink">
        <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open/fold:rotate-90" />
        {summary}
      </summary>
      {children}
    </details>
  );
}
