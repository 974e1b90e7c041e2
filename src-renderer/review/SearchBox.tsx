import { ArrowDown, ArrowUp, Search } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/index.ts';

export type Direction = 'next' | 'previous';

/** A line to search with: Enter goes on, Shift+Enter back. */
export function SearchBox({
  label,
  message,
  onSearch,
  onClear,
}: {
  label: string;
  /** What came of the last search. */
  message: string;
  onSearch: (text: string, direction: Direction) => void;
  onClear: () => void;
}) {
  const [text, setText] = useState('');
  const search = (direction: Direction) => text !== '' && onSearch(text, direction);
  return (
    <search className="flex min-w-32 flex-1 items-center gap-0.5">
      <div className="flex min-w-0 flex-1 items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 focus-within:border-accent">
        <Search size={13} aria-hidden="true" className="shrink-0 text-ink-3" />
        <input
          type="text"
          aria-label={label}
          placeholder="Find"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onClear();
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') search(event.shiftKey ? 'previous' : 'next');
            else if (event.key === 'Escape' && text !== '') {
              event.stopPropagation();
              setText('');
              onClear();
            }
          }}
          className="min-h-6 w-full min-w-0 bg-transparent text-sm outline-none"
        />
        <span role="status" className="shrink-0 text-xs text-ink-2">
          {message}
        </span>
      </div>
      <IconButton label="Previous match" icon={<ArrowUp size={14} />} onClick={() => search('previous')} />
      <IconButton label="Next match" icon={<ArrowDown size={14} />} onClick={() => search('next')} />
    </search>
  );
}
