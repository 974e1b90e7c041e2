import type { ReactElement } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { ELEMENTS } from './elements.tsx';
import { MAX_BLOCK_LENGTH, MAX_HIGHLIGHT_LENGTH, MAX_NESTING } from './limits.ts';

type Plugins = NonNullable<Options['rehypePlugins']>;

/** As much of a tree of elements as is needed to walk it. */
interface TreeNode {
  type: string;
  value?: string;
  properties?: Record<string, unknown>;
  tagName?: string;
  children?: TreeNode[];
}

/** Lists and quotes that one line opens within each other; the parser's time grows with the square of them. */
const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_NESTING},}`, 'm');

class TooDeepError extends Error {}

/** Refuses trees that React and the layout could not walk, and keeps the highlighter away from long code. */
function boundTree() {
  return (tree: TreeNode): void => {
    let level: TreeNode[] = [tree];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > MAX_NESTING) throw new TooDeepError();
      const next: TreeNode[] = [];
      for (const node of level) {
        if (node.tagName === 'code') skipLongCode(node);
        if (node.children !== undefined) for (const child of node.children) next.push(child);
      }
      level = next;
    }
  };
}

function skipLongCode(code: TreeNode): void {
  const length = code.children?.reduce((sum, child) => sum + (child.value?.length ?? 0), 0) ?? 0;
  const names = code.properties?.className;
  if (length > MAX_HIGHLIGHT_LENGTH && Array.isArray(names)) names.push('no-highlight');
}

/** One highlighter for all blocks: making one registers every language anew. */
const highlight = rehypeHighlight();
const REHYPE_PLUGINS: Plugins = [boundTree, () => highlight];
const REMARK_PLUGINS: NonNullable<Options['remarkPlugins']> = [[remarkGfm, { singleTilde: false }]];

/** Text as it was written, where it cannot or should not be read as Markdown. */
function PlainText({ text, reason }: { text: string; reason: string }) {
  return (
    <div className="my-2">
      <p className="text-xs text-ink-3">{reason}</p>
      <pre className="machine whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </div>
  );
}

function TooDeep({ text }: { text: string }) {
  return <PlainText text={text} reason="Too deeply nested, so shown as it was written:" />;
}

/**
 * Renders one block. Whatever the text is, it comes back as elements: what the parser cannot take is shown as written.
 * Raw HTML is text (there is no plugin that would parse it), and addresses are kept as they are because no element that
 * follows one is rendered.
 */
export function renderMarkdown(source: string, components: Components = {}): ReactElement {
  if (source.length > MAX_BLOCK_LENGTH) {
    return <PlainText text={source} reason="A long passage, shown as it was written:" />;
  }
  if (CONTAINERS.test(source)) return <TooDeep text={source} />;
  try {
    return ReactMarkdown({
      children: source,
      remarkPlugins: REMARK_PLUGINS,
      rehypePlugins: REHYPE_PLUGINS,
      components: { ...ELEMENTS, ...components },
      urlTransform: (address) => address,
    });
  } catch (error) {
    // Only nesting makes the parser fail, by our own limit or by the end of the stack; a fault of ours must be seen.
    if (!(error instanceof TooDeepError || error instanceof RangeError)) throw error;
    return <TooDeep text={source} />;
  }
}

/** Code as a fenced block whose fence cannot occur in it. */
export function fenced(language: string, code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language.replaceAll('`', '')}\n${code}\n${fence}`;
}
