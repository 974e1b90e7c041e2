import { CircleAlert } from 'lucide-react';
import { type KeyboardEvent, lazy, type ReactNode, Suspense } from 'react';
import { Conversation } from '../conversation/index.tsx';
import { useConnection } from '../state/connection.ts';
import { useConversation } from '../state/conversation.ts';
import { REVIEW_WIDTH, SIDEBAR_WIDTH, useLayout } from '../state/layout.ts';
import type { Pane } from '../state/panes.ts';
import { TooltipProvider } from '../ui/index.ts';
import { Dialogs } from './Dialogs.tsx';
import { Notices } from './Notices.tsx';
import { Sidebar } from './Sidebar.tsx';
import { Splitter } from './Splitter.tsx';
import { usePanes } from './usePanes.ts';

/** Comes after the first paint: nobody reviews before something was said, and its terminal and viewer weigh much. */
const ReviewPane = lazy(() => import('../review/index.tsx').then((review) => ({ default: review.ReviewPane })));

/** The window: navigation, conversation, review. */
export function App() {
  const { sidebar, review } = usePanes();
  const openId = useConversation((state) => state.view?.conversation.id ?? null);
  const isReviewShown = openId !== null && review.place !== 'hidden';
  return (
    <TooltipProvider>
      <div className="flex h-full flex-col">
        <OfflineBanner />
        <div className="relative flex min-h-0 flex-1">
          {sidebar.place !== 'hidden' && (
            <PaneBox pane={sidebar} side="left">
              <Sidebar />
            </PaneBox>
          )}
          <main className="flex min-w-0 flex-1 bg-pane">
            {sidebar.place === 'beside' && (
              <Splitter
                label="Width of the sidebar"
                width={sidebar.width}
                limits={SIDEBAR_WIDTH}
                side="left"
                onResize={(sidebarWidth) => useLayout.setState({ sidebarWidth })}
              />
            )}
            <div className="min-w-0 flex-1">
              <Conversation shown={{ sidebar: sidebar.place !== 'hidden', review: isReviewShown }} />
            </div>
            {isReviewShown && review.place === 'beside' && (
              <Splitter
                label="Width of the review"
                width={review.width}
                limits={REVIEW_WIDTH}
                side="right"
                onResize={(reviewWidth) => useLayout.setState({ reviewWidth })}
              />
            )}
          </main>
          {isReviewShown && (
            <PaneBox pane={review} side="right">
              <Suspense fallback={<aside aria-label="Review" className="h-full bg-pane" />}>
                <ReviewPane conversationId={openId} />
              </Suspense>
            </PaneBox>
          )}
        </div>
      </div>
      <Dialogs />
      <Notices />
    </TooltipProvider>
  );
}

function closeDrawer(): void {
  useLayout.setState({ drawer: 'none' });
}

/** Puts the focus into a drawer, and back to where it was when the drawer closes. */
function takeFocus(drawer: HTMLElement | null) {
  if (drawer === null) return;
  const before = document.activeElement;
  drawer.focus();
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
}

/** A pane beside the transcript, or a drawer over it that Esc and a click beside it close. */
function PaneBox({ pane, side, children }: { pane: Pane; side: 'left' | 'right'; children: ReactNode }) {
  if (pane.place === 'beside') {
    return (
      <div style={{ width: pane.width }} className="min-h-0 shrink-0">
        {children}
      </div>
    );
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    closeDrawer();
  }
  return (
    <>
      <button
        type="button"
        aria-label="Close the pane"
        tabIndex={-1}
        onClick={closeDrawer}
        className="absolute inset-0 z-20 bg-scrim"
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the Esc of the controls inside */}
      <div
        ref={takeFocus}
        tabIndex={-1}
        style={{ width: pane.width }}
        onKeyDown={onKeyDown}
        className={`absolute inset-y-0 z-20 max-w-full outline-none bg-pane shadow-floating ${side === 'left' ? 'left-0' : 'right-0'}`}
      >
        {children}
      </div>
    </>
  );
}

function OfflineBanner() {
  const offline = useConnection((state) => state.offline);
  if (offline === null) return null;
  return (
    <div role="alert" className="flex items-center gap-2 border-b border-bad bg-bad-soft px-4 py-1.5 text-sm">
      <CircleAlert size={15} aria-hidden="true" className="shrink-0 text-bad" />
      <p>
        <span className="font-semibold">{offline}</span> Close this window and start Parley again; what was stored is
        safe.
      </p>
    </div>
  );
}
