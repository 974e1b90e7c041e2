import { useShallow } from 'zustand/react/shallow';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useConversation } from '../state/conversation.ts';
import { selectedInvocation, useReview } from '../state/review.ts';
import { type Subject, subjectOf } from './subject.ts';

const NOTHING = { turn: null, state: null, seat: undefined };

/** The invocation under review; `null` when nothing has run yet. */
export function useSubject(conversationId: ConversationId): Subject | null {
  const chosen = useReview((state) => selectedInvocation(state, conversationId));
  const { turn, state, seat } = useConversation(useShallow(({ view }) => subjectOf(view, chosen) ?? NOTHING));
  return turn === null || state === null ? null : { turn, state, seat };
}
