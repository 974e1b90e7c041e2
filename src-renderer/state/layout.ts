import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationId } from '../../src-shared/ids.ts';

/** Where a transcript was left: at its end (and following it), or with an article at the top. */
export type ScrollPlace = 'end' | { readonly row: string; readonly offset: number };

/** Widths in CSS pixels. */
export const SIDEBAR_WIDTH = { min: 184, initial: 248, max: 400 } as const;
export const REVIEW_WIDTH = { min: 320, initial: 436, max: 900 } as const;
/** The transcript gets at least this much before a pane beside it becomes a drawer over it. */
export const MAIN_MIN_WIDTH = 420;

interface LayoutState {
  sidebarWidth: number;
  reviewWidth: number;
  sidebarOpen: boolean;
  reviewOpen: boolean;
  /** A pane shown over the transcript while the window is too narrow for both. */
  drawer: 'none' | 'sidebar' | 'review';
  selected: ConversationId | null;
  scroll: Readonly<Record<ConversationId, ScrollPlace>>;
  lastDirectory: string | null;
}

/** What the window remembers of its own look. */
export const useLayout = create<LayoutState>()(
  persist(
    (): LayoutState => ({
      sidebarWidth: SIDEBAR_WIDTH.initial,
      reviewWidth: REVIEW_WIDTH.initial,
      sidebarOpen: true,
      reviewOpen: true,
      drawer: 'none',
      selected: null,
      scroll: {},
      lastDirectory: null,
    }),
    { name: 'parley-layout', version: 1, partialize: ({ drawer: _drawer, ...rest }) => rest },
  ),
);

export function rememberScroll(conversationId: ConversationId, place: ScrollPlace): void {
  useLayout.setState(({ scroll }) => ({ scroll: { ...scroll, [conversationId]: place } }));
}

export function forgetConversation(conversationId: ConversationId): void {
  useLayout.setState(({ scroll, selected }) => {
    const { [conversationId]: _forgotten, ...rest } = scroll;
    return { scroll: rest, selected: selected === conversationId ? null : selected };
  });
}
