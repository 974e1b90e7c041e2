import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { loadEarlierTurns, useConversation } from '../state/conversation.ts';
import { offerFind } from '../state/handles.ts';
import { useStage } from '../state/stage.ts';
import { Button, IconButton } from '../ui/index.ts';
import { findMatches } from './find.ts';
import { findTarget } from './findTarget.ts';
import { clearHighlights, highlightMatches } from './highlight.ts';

function close(): void {
  useStage.setState({ finding: false });
  findTarget()?.root.focus();
}

/** Finds text in the loaded part of the conversation. */
export function FindBar() {
  const view = useConversation((state) => state.view);
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const matches = view === null ? [] : findMatches(view, query);
  const at = matches.length === 0 ? -1 : Math.min(index, matches.length - 1);
  const current = matches[at];
  const row = current?.row;
  const nth = current?.nth ?? 0;

  // Highlights live in the document, not in React's tree, and have to follow what scrolling draws.
  useEffect(() => {
    const target = findTarget();
    if (target === null) return;
    const mark = () => highlightMatches(target.root, query, row === undefined ? undefined : { row, nth });
    if (row !== undefined) target.show(row);
    let frame = requestAnimationFrame(() => {
      mark()?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    });
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    target.root.addEventListener('scroll', onScroll);
    return () => {
      cancelAnimationFrame(frame);
      target.root.removeEventListener('scroll', onScroll);
      clearHighlights();
    };
  }, [query, row, nth]);

  function step(by: 1 | -1): void {
    if (matches.length > 0) setIndex((at + by + matches.length) % matches.length);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const earlier = view?.earlierTurns ?? 0;
  return (
    <search
      className="flex flex-wrap items-center gap-2 border-b border-line bg-raised px-4 py-1.5"
      onKeyDown={onKeyDown}
    >
      <input
        ref={(element) => {
          if (element === null) return;
          const focus = () => {
            element.focus();
            element.select();
          };
          focus();
          return offerFind({ focus });
        }}
        type="text"
        aria-label="Find in conversation"
        placeholder="Find in conversation"
        value={query}
        spellCheck={false}
        onChange={(event) => {
          setQuery(event.target.value);
          setIndex(0);
        }}
        className="min-h-7 min-w-40 flex-1 rounded-md border border-line-strong bg-pane px-2"
      />
      <span aria-live="polite" className="min-w-20 text-sm text-ink-2 tabular-nums">
        {query.trim() === '' ? '' : matches.length === 0 ? 'No match' : `${at + 1} of ${matches.length}`}
      </span>
      <IconButton
        label="Previous match"
        shortcut="Shift+⏎"
        icon={<ChevronUp size={16} />}
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next match"
        shortcut="⏎"
        icon={<ChevronDown size={16} />}
        disabled={matches.length === 0}
        onClick={() => step(1)}
      />
      <IconButton label="Close the find bar" shortcut="Esc" icon={<X size={16} />} onClick={close} />
      {earlier > 0 && (
        <span className="flex items-center gap-2 text-sm text-ink-2">
          {earlier} earlier turns are not loaded and not searched.
          <Button size="small" onClick={() => void loadEarlierTurns()}>
            Load more
          </Button>
        </span>
      )}
    </search>
  );
}
