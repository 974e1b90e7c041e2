import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** Something that is shown on demand, and rendered no sooner: thousands of closed ones must cost nothing. */
export function Fold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="group/fold" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-md text-sm text-ink-2 hover:text-ink">
        <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open/fold:rotate-90" />
        {summary}
      </summary>
      {isOpen && children}
    </details>
  );
}
