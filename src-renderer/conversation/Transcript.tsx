import { ArrowDown } from 'lucide-react';
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useShallow } from 'zustand/react/shallow';
import type { ConversationId } from '../../src-shared/ids.ts';
import { loadEarlierTurns, useConversation } from '../state/conversation.ts';
import { rememberScroll, useLayout } from '../state/layout.ts';
import { type RowKey, rowKeys, rowOf } from '../state/rows.ts';
import { Button } from '../ui/index.ts';
import { offerFindTarget } from './findTarget.ts';
import { END_TOLERANCE, followsAfterScroll, isAtEnd as isEnd } from './following.ts';
import { ROW_ATTRIBUTE } from './highlight.ts';
import { OperatorArticle } from './OperatorArticle.tsx';
import { SeatArticle } from './SeatArticle.tsx';

/** So near to the top the next older page is loaded. */
const LOAD_AHEAD = 600;

const NO_ROWS: RowKey[] = [];

const RowView = memo(function RowView({ rowKey }: { rowKey: RowKey }) {
  const row = rowOf(rowKey);
  return (
    <div {...{ [ROW_ATTRIBUTE]: rowKey }} className="mx-auto max-w-column px-6 pt-5 pb-1.5">
      {row.kind === 'operator' ? (
        <OperatorArticle turnId={row.turnId} />
      ) : (
        <SeatArticle turnId={row.turnId} invocationId={row.invocationId} />
      )}
    </div>
  );
});

const MIDDLE_BUTTON = 1;

/**
 * The windowed transcript. It follows its end only while it is there; otherwise what is being read stays where it is.
 * Mounted anew for each conversation.
 */
export function Transcript({ conversationId, empty }: { conversationId: ConversationId; empty: ReactNode }) {
  const rows = useConversation(useShallow((state) => (state.view === null ? NO_ROWS : rowKeys(state.view))));
  const earlierTurns = useConversation((state) => state.view?.earlierTurns ?? 0);
  const isLoadingEarlier = useConversation((state) => state.loadingEarlier);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const follows = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const lastIntent = useRef(Number.NEGATIVE_INFINITY);
  const firstRow = useRef<RowKey | undefined>(undefined);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [isAtTop, setIsAtTop] = useState(false);

  // Rows that were put before the first one must not move what is on screen.
  const isPrepending = firstRow.current !== undefined && rows[0] !== firstRow.current;
  useLayoutEffect(() => {
    firstRow.current = rows[0];
  });

  function follow(): void {
    const element = scroller.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }

  function onScroll(): void {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop } = element;
    const now = { top: scrollTop, height: element.scrollHeight, viewport: element.clientHeight };
    follows.current = followsAfterScroll(follows.current, now, last.current, performance.now() - lastIntent.current);
    last.current = now;
    setIsAtEnd(isEnd(now) || follows.current);
    setIsAtTop(scrollTop <= END_TOLERANCE);
    if (scrollTop < LOAD_AHEAD) void loadEarlierTurns();
  }

  function noteIntent(): void {
    lastIntent.current = performance.now();
  }

  function remember(): void {
    const virtualizer = list.current;
    if (virtualizer === null) return;
    if (follows.current) {
      rememberScroll(conversationId, 'end');
      return;
    }
    const index = virtualizer.findItemIndex(virtualizer.scrollOffset);
    const key = firstRow.current === undefined ? undefined : rows[index];
    if (key === undefined) return;
    const offset = Math.round(virtualizer.scrollOffset - virtualizer.getItemOffset(index));
    rememberScroll(conversationId, { row: key, offset });
  }

  function jumpToEnd(): void {
    follows.current = true;
    setIsAtEnd(true);
    // Not by the list's own way to a row: that one goes on steering to it for a while, away from what comes after it.
    follow();
  }

  // The size of what was drawn is known to the browser alone, so following its end means watching it.
  useLayoutEffect(() => {
    const element = content.current;
    if (element === null) return;
    const place = useLayout.getState().scroll[conversationId];
    const { view } = useConversation.getState();
    const keys = view === null ? NO_ROWS : rowKeys(view);
    const index = place === undefined || place === 'end' ? -1 : keys.indexOf(place.row);
    if (index >= 0 && place !== undefined && place !== 'end') {
      follows.current = false;
      setIsAtEnd(false);
      list.current?.scrollToIndex(index, { align: 'start', offset: place.offset });
    } else if (keys.length > 0) {
      list.current?.scrollToIndex(keys.length - 1, { align: 'end' });
    }
    const observer = new ResizeObserver(() => {
      if (follows.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight;
    });
    observer.observe(element);
    if (scroller.current !== null) observer.observe(scroller.current);
    // The observer learns of growth a frame late; before the next paint is soon enough to show no jump.
    let frame: number | null = null;
    const end = useConversation.subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        if (follows.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight;
      });
    });
    return () => {
      observer.disconnect();
      end();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [conversationId]);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={(element) => {
          scroller.current = element;
          if (element === null) return;
          return offerFindTarget({
            root: element,
            show: (row) => {
              const index = rows.indexOf(row);
              if (index === -1) return;
              follows.current = false;
              list.current?.scrollToIndex(index, { align: 'nearest' });
            },
          });
        }}
        role="log"
        aria-label="Transcript"
        // What is written while it is written would drown everything else; the announcer tells when a seat is done.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onWheel={noteIntent}
        onKeyDown={noteIntent}
        onTouchMove={noteIntent}
        onPointerDown={(event) => {
          // The scrollbar, or the wheel as a button. A press on what stands in the transcript is no wish to scroll.
          if (event.target === event.currentTarget || event.button === MIDDLE_BUTTON) noteIntent();
        }}
        onPointerMove={(event) => {
          // A dragged scrollbar.
          if (event.buttons !== 0) noteIntent();
        }}
        className="h-full overflow-y-auto outline-offset-[-2px] [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
      >
        <div ref={content}>
          {rows.length === 0 ? (
            empty
          ) : (
            <Virtualizer ref={list} scrollRef={scroller} data={rows} shift={isPrepending} onScrollEnd={remember}>
              {(key) => <RowView key={key} rowKey={key} />}
            </Virtualizer>
          )}
        </div>
      </div>
      {earlierTurns > 0 && isAtTop && (
        <div className="absolute inset-x-0 top-2 flex justify-center">
          <Button size="small" disabled={isLoadingEarlier} onClick={() => void loadEarlierTurns()}>
            {isLoadingEarlier ? 'Loading earlier turns…' : `Load ${earlierTurns} earlier`}
          </Button>
        </div>
      )}
      {!isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="small" className="pointer-events-auto shadow-floating" onClick={jumpToEnd}>
            <ArrowDown size={14} aria-hidden="true" />
            Jump to latest
          </Button>
        </div>
      )}
    </div>
  );
}
