import type { ReactNode } from 'react';
import { copyText } from '../../state/outside.ts';
import { CopyButton } from '../../ui/index.ts';

/** A block of code: its language, a button that copies all of it, and a box of its own to scroll in. */
export function CodeFrame({
  language,
  code,
  children,
  footer,
}: {
  language: string;
  /** What is copied: all of it, also when less is shown. */
  code: string;
  children: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <figure className="group relative my-2 overflow-hidden rounded-lg border bg-code">
      {language !== '' && <figcaption className="px-3 pt-1.5 text-2xs text-ink-3">{language}</figcaption>}
      <CopyButton label="Copy code" onCopy={() => copyText(code)} className="absolute top-0.5 right-0.5 bg-code" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0} className="syntax machine overflow-x-auto px-3 py-2">
        {children}
      </pre>
      {footer}
    </figure>
  );
}
