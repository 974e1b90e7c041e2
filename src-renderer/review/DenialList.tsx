import { Ban } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Denial } from './denials.ts';

/** Refused calls: what was asked and why it was refused, as reported. */
export function DenialList({
  label,
  denials,
}: {
  label: string;
  denials: readonly (Denial & { readonly who?: ReactNode })[];
}) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1.5">
      {denials.map(({ id, what, reason, who }) => (
        <li key={id} className="flex items-start gap-2">
          <Ban size={13} aria-hidden="true" className="mt-1 shrink-0 text-warn" />
          {who}
          <div className="min-w-0">
            <p className="machine wrap-anywhere">{what}</p>
            <p className="text-ink-2 wrap-anywhere">{reason === '' ? 'No reason was reported.' : reason}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
