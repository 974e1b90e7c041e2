import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A failure with its face: the sentence, what can be done, and the button that helps. Announced as an `alert`. */
export function FailureBox({
  sentence,
  hint,
  actions,
  children,
}: {
  sentence: string;
  hint: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="rounded-xl border border-bad bg-bad-soft px-3.5 py-2.5">
      <div className="flex items-start gap-2">
        <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold wrap-anywhere">{sentence}</p>
          {hint !== '' && <p className="text-ink-2 wrap-anywhere">{hint}</p>}
          {actions !== undefined && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
          {children}
        </div>
      </div>
    </div>
  );
}
