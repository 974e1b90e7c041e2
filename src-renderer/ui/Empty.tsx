import type { ReactNode } from 'react';

/** What a place shows when there is nothing in it: why, and what to do. */
export function Empty({
  title,
  children,
  actions,
  level: Title = 'p',
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The heading that the title is, where it is one. */
  level?: 'h1' | 'h2' | 'p';
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-10 text-center">
      <Title className="text-lg font-semibold">{title}</Title>
      {children !== undefined && <div className="mt-1 text-ink-2">{children}</div>}
      {actions !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
