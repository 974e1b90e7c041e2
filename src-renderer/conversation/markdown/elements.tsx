import { Children, type ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { openOutside } from '../../state/outside.ts';
import { openableAddress } from './address.ts';
import { CodeFrame } from './CodeFrame.tsx';

/** A message's headings stand below the one heading of the window, its title. */
const HEADING_CLASS = 'mt-4 mb-1.5 font-semibold first:mt-0';

function AddressText({ children, address }: { children?: ReactNode; address: string | undefined }) {
  const isShown = address === undefined || address === '' || Children.toArray(children).join('') === address;
  return (
    <span>
      {children}
      {!isShown && <code className="ml-1 text-ink-2 wrap-anywhere">{`(${address})`}</code>}
    </span>
  );
}

/** A link that asks the desktop to open it. It has no `href`: nothing in a message can navigate the window. */
function ExternalLink({ address, children }: { address: string; children: ReactNode }) {
  const open = () => void openOutside(address);
  return (
    <a
      role="link"
      tabIndex={0}
      title={address}
      // biome-ignore lint/a11y/useValidAnchor: with an address it could navigate the window.
      onClick={open}
      onKeyDown={(event) => event.key === 'Enter' && open()}
      className="cursor-pointer text-accent underline decoration-1 underline-offset-2 wrap-anywhere hover:decoration-2"
    >
      {children}
    </a>
  );
}

function Link({ href, children, node }: { href?: string | undefined; children?: ReactNode } & ExtraProps) {
  // Where a footnote leads back to is within reach: a message with footnotes is short.
  if (node?.properties.dataFootnoteBackref !== undefined) return null;
  if (node?.properties.dataFootnoteRef !== undefined) return <span>{children}</span>;
  const address = openableAddress(href);
  if (address === null) return <AddressText address={href}>{children}</AddressText>;
  return <ExternalLink address={address}>{children}</ExternalLink>;
}

/** An image in a message is only named: fetching it would tell its host that the message was read. */
function ImageReference({ src, alt }: { src?: string | Blob | undefined; alt?: string | undefined }) {
  const address = typeof src === 'string' ? src : undefined;
  const label = `Image, not loaded: ${alt === undefined || alt === '' ? 'without a description' : alt}`;
  return <Link href={address}>{label}</Link>;
}

function textOf(node: ExtraProps['node']): string {
  let text = '';
  const open = [...(node?.children ?? [])];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next.type === 'text') text += next.value;
    else if (next.type === 'element') open.unshift(...next.children);
  }
  return text;
}

function languageOf(node: ExtraProps['node']): string {
  const code = node?.children.find((child) => child.type === 'element');
  const names = code?.type === 'element' ? code.properties.className : undefined;
  if (!Array.isArray(names)) return '';
  const found = names.find((name) => typeof name === 'string' && name.startsWith('language-'));
  return typeof found === 'string' ? found.slice('language-'.length) : '';
}

/** How each element of a message is shown. Nothing here sets an address that the browser would follow. */
export const ELEMENTS: Components = {
  a: Link,
  img: ImageReference,
  h1: ({ children }) => <h2 className={`${HEADING_CLASS} text-xl`}>{children}</h2>,
  h2: ({ children }) => <h3 className={`${HEADING_CLASS} text-lg`}>{children}</h3>,
  h3: ({ children }) => <h4 className={`${HEADING_CLASS} text-base`}>{children}</h4>,
  h4: ({ children }) => <h5 className={`${HEADING_CLASS} text-base`}>{children}</h5>,
  h5: ({ children }) => <h6 className={`${HEADING_CLASS} text-sm`}>{children}</h6>,
  h6: ({ children }) => <h6 className={`${HEADING_CLASS} text-sm text-ink-2`}>{children}</h6>,
  p: ({ children }) => <p className="my-2 wrap-anywhere whitespace-pre-wrap first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-6 marker:text-ink-3">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal pl-7 marker:text-ink-3">
      {children}
    </ol>
  ),
  li: ({ children, className }) => (
    <li
      className={`my-0.5 wrap-anywhere [&>p]:my-1 ${className === 'task-list-item' ? '-ml-5 list-none' : ''}`.trimEnd()}
    >
      {children}
    </li>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked === true}
      disabled
      aria-label={checked === true ? 'Done' : 'Not done'}
      className="mr-1 accent-accent"
    />
  ),
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-ink-2">{children}</blockquote>
  ),
  hr: () => <hr className="my-4" />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section aria-label="Table" tabIndex={0} className="my-2 overflow-x-auto rounded-lg border">
      <table className="w-full border-collapse text-sm">{children}</table>
    </section>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border-b bg-code px-2.5 py-1 text-left font-semibold">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-t px-2.5 py-1 align-top">
      {children}
    </td>
  ),
  pre: ({ children, node }) => (
    <CodeFrame language={languageOf(node)} code={textOf(node).replace(/\n$/, '')}>
      {children}
    </CodeFrame>
  ),
  code: ({ children, className }) =>
    className === undefined ? (
      <code className="rounded-sm bg-code px-1 py-px font-mono text-[0.9em] wrap-anywhere">{children}</code>
    ) : (
      <code className={className}>{children}</code>
    ),
};
