import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationId, InvocationId } from '../../src-shared/ids.ts';

export type ReviewTab = 'run' | 'live' | 'artifacts' | 'evidence';

/** A place in an artifact that was asked for: the last line that holds `find`. */
export interface SoughtText {
  readonly invocationId: InvocationId;
  /** File name. */
  readonly name: string;
  readonly find: string;
}

interface ReviewState {
  tab: ReviewTab;
  /** What the Artifacts tab opens with, until another file is chosen there. */
  sought: SoughtText | null;
  /** The invocation under review, by conversation. None: the latest is followed. */
  selected: Readonly<Record<ConversationId, InvocationId | null>>;
  showTab(tab: ReviewTab): void;
  seek(sought: SoughtText | null): void;
  /** `null` follows the latest invocation again. */
  select(conversationId: ConversationId, invocationId: InvocationId | null): void;
}

/** What the review pane looks at. The tab is remembered across starts; the selection is not. */
export const useReview = create<ReviewState>()(
  persist(
    (set) => ({
      tab: 'run',
      selected: {},
      sought: null,
      showTab: (tab) => set({ tab }),
      seek: (sought) => set({ sought }),
      select: (conversationId, invocationId) =>
        set((state) => ({ selected: { ...state.selected, [conversationId]: invocationId } })),
    }),
    { name: 'parley-review', version: 1, partialize: ({ tab }) => ({ tab }) },
  ),
);

export function selectedInvocation(state: ReviewState, conversationId: ConversationId): InvocationId | null {
  return state.selected[conversationId] ?? null;
}
