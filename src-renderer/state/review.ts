import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationId, InvocationId } from '../../src-shared/ids.ts';

export type ReviewTab = 'run' | 'live' | 'artifacts' | 'evidence';

interface ReviewState {
  tab: ReviewTab;
  /** The invocation under review, by conversation. None: the latest is followed. */
  selected: Readonly<Record<ConversationId, InvocationId | null>>;
  showTab(tab: ReviewTab): void;
  /** `null` follows the latest invocation again. */
  select(conversationId: ConversationId, invocationId: InvocationId | null): void;
}

/** What the review pane looks at. The tab is remembered across starts; the selection is not. */
export const useReview = create<ReviewState>()(
  persist(
    (set) => ({
      tab: 'run',
      selected: {},
      showTab: (tab) => set({ tab }),
      select: (conversationId, invocationId) =>
        set((state) => ({ selected: { ...state.selected, [conversationId]: invocationId } })),
    }),
    { name: 'parley-review', version: 1, partialize: ({ tab }) => ({ tab }) },
  ),
);

export function selectedInvocation(state: ReviewState, conversationId: ConversationId): InvocationId | null {
  return state.selected[conversationId] ?? null;
}
