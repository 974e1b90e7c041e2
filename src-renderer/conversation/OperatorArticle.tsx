import { Copy } from 'lucide-react';
import { memo } from 'react';
import type { TurnId } from '../../src-shared/ids.ts';
import { useNow } from '../state/clock.ts';
import { useConversation, useTurn } from '../state/conversation.ts';
import { copyText } from '../state/intents.ts';
import { ContextMenu, When } from '../ui/index.ts';
import { LongText } from './LongText.tsx';
import { selectedTextIn } from './selection.ts';
import { Thumbnail } from './Thumbnail.tsx';

/** What the operator wrote, as text: it is never interpreted. */
export const OperatorArticle = memo(function OperatorArticle({ turnId }: { turnId: TurnId }) {
  const turn = useTurn(turnId);
  const now = useNow('minute');
  const addressed = useConversation((state) => {
    const seats = state.view?.seats ?? [];
    if (turn === undefined || seats.length < 2 || turn.seatIds.length === seats.length) return null;
    return seats
      .filter((seat) => turn.seatIds.includes(seat.id))
      .map((seat) => seat.name)
      .join(', ');
  });
  if (turn === undefined) return null;
  return (
    <ContextMenu
      entries={[
        {
          label: 'Copy',
          icon: <Copy size={14} />,
          onSelect: () => void copyText(selectedTextIn('article') ?? turn.text),
        },
      ]}
    >
      <article aria-label="Operator">
        <header className="mb-1 flex items-baseline gap-2 text-sm text-ink-2">
          <span className="text-base font-semibold text-ink">Operator</span>
          {addressed !== null && <span>to {addressed}</span>}
          <When at={turn.createdAt} now={now} className="ml-auto text-ink-3" />
        </header>
        <div className="rounded-xl border border-line bg-raised px-3.5 py-3 shadow-raised">
          {turn.text !== '' && <LongText text={turn.text} />}
          {turn.attachments.length > 0 && (
            <ul aria-label="Images" className={`flex flex-wrap gap-2 ${turn.text === '' ? '' : 'mt-2.5'}`}>
              {turn.attachments.map((attachment) => (
                <li key={attachment.id} data-searchable="">
                  <Thumbnail attachment={attachment} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </article>
    </ContextMenu>
  );
});
