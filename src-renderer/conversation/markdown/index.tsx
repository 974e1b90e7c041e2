import { memo, useState } from 'react';
import remend from 'remend';
import { Button } from '../../ui/index.ts';
import { type Block, joinFootnotes, joinSmall, splitBlocks } from './blocks.ts';
import { FencedCode } from './FencedCode.tsx';
import { MAX_DEFINITIONS_LENGTH, MAX_SHOWN_LENGTH } from './limits.ts';
import { renderMarkdown } from './render.tsx';
import './syntax.css';

/** Completes what the end of a streamed message has left open. HTML is text, so that it needs no completion. */
function completed(source: string): string {
  return remend(source, { linkMode: 'text-only', htmlTags: false, comparisonOperators: false });
}

/** While a fence is open, a line of fewer marks than it needs is most likely its beginning end. */
function withoutHalfFence(code: string): string {
  return code.replace(/(?:^|\n) {0,3}(?:`{1,}|~{1,})$/, '');
}

/** A passage of Markdown. `isGrowing`: it is the end of a message that is still being written. */
const Passage = memo(function Passage({
  source,
  definitions,
  isGrowing,
}: {
  source: string;
  definitions: string;
  isGrowing: boolean;
}) {
  const whole = isGrowing ? completed(source) : source;
  return renderMarkdown(definitions === '' ? whole : `${whole}\n\n${definitions}`);
});

function BlockView({
  block: { content, source },
  definitions,
  isGrowing,
}: {
  block: Block;
  definitions: string;
  isGrowing: boolean;
}) {
  if (content.kind === 'code') {
    const isOpen = isGrowing && !content.closed;
    return <FencedCode language={content.language} code={isOpen ? withoutHalfFence(content.code) : content.code} />;
  }
  const isReferring = source.includes('[') && content.definitions !== definitions;
  return <Passage source={source} definitions={isReferring ? definitions : ''} isGrowing={isGrowing} />;
}

/** Link definitions may stand anywhere in a message, and count for all of it. */
function definitionsOf(blocks: readonly Block[]): string {
  let definitions = '';
  for (const { content } of blocks) {
    if (content.kind !== 'markdown' || content.definitions === '') continue;
    if (definitions.length + content.definitions.length > MAX_DEFINITIONS_LENGTH) break;
    definitions += definitions === '' ? content.definitions : `\n${content.definitions}`;
  }
  return definitions;
}

/** The index of the first block that is shown while the beginning of a huge message is folded. */
function firstShown(blocks: readonly Block[]): number {
  let length = 0;
  for (let index = blocks.length - 1; index >= 0; index--) {
    length += blocks[index]?.source.length ?? 0;
    if (length > MAX_SHOWN_LENGTH) return Math.min(index + 1, blocks.length - 1);
  }
  return 0;
}

/** Remembers the last cut, so that a growing message is cut again only at its end. */
function createSplitter(): (text: string) => readonly Block[] {
  let before: Block[] = [];
  return (text) => {
    before = splitBlocks(text, before);
    return joinFootnotes(text, joinSmall(before));
  };
}

/** A message as Markdown. `streaming`: more of it may come. Finished blocks are rendered once. */
export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [split] = useState(createSplitter);
  const [isUnfolded, setUnfolded] = useState(false);
  const blocks = split(text);
  const definitions = definitionsOf(blocks);
  const first = isUnfolded ? 0 : firstShown(blocks);
  const folded = blocks[first]?.start ?? 0;
  return (
    <div className="min-w-0 [&>:first-child]:mt-0 [&>:last-child]:mb-0">
      {folded > 0 && (
        <p className="mb-2 text-sm text-ink-2">
          The beginning of this message is folded ({Math.ceil(folded / 1000).toLocaleString('en')},000 characters).{' '}
          <Button size="small" onClick={() => setUnfolded(true)}>
            Show all of it
          </Button>
        </p>
      )}
      {blocks.slice(first).map((block, index, shown) => (
        <BlockView
          key={block.start}
          block={block}
          definitions={definitions}
          isGrowing={streaming && index === shown.length - 1}
        />
      ))}
    </div>
  );
}
