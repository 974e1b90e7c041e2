import { useState } from 'react';
import { Button } from '../ui/index.ts';

/** A message is shown folded above this length, in UTF-16 code units. */
const FOLD_LENGTH = 3_000;
/** What an unfolded message shows at most; a pasted log of megabytes would freeze the window. */
const MAX_SHOWN_LENGTH = 200_000;

const count = new Intl.NumberFormat('en');

/** Plain text with its line breaks; long text is folded, and says so. */
export function LongText({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const limit = isOpen ? MAX_SHOWN_LENGTH : FOLD_LENGTH;
  const isCut = text.length > limit;
  return (
    <>
      <div data-searchable="" className="whitespace-pre-wrap wrap-anywhere">
        {isCut ? text.slice(0, limit) : text}
        {isCut && '…'}
      </div>
      {text.length > FOLD_LENGTH && (
        <div className="mt-2 flex items-center gap-2 text-sm text-ink-2">
          <Button size="small" onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show more'}
          </Button>
          {count.format(text.length)} characters
          {isOpen && isCut && `, of which the first ${count.format(MAX_SHOWN_LENGTH)} are shown; all were sent`}
        </div>
      )}
    </>
  );
}
