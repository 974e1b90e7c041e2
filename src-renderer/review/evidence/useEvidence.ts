import { useEffect, useRef, useState } from 'react';
import type { ConversationId, InvocationId } from '../../../src-shared/ids.ts';
import { call, listen } from '../../state/bridge.ts';
import { createEvidencePages, type EvidencePages, type EvidenceState, NO_EVIDENCE } from './pages.ts';

/** The evidence of a conversation, or of one invocation of it, kept current while it is on screen. */
export function useEvidence(
  conversationId: ConversationId,
  invocationId: InvocationId | null,
): { state: EvidenceState; need: (index: number) => void; find: (text: string) => void } {
  const [state, setState] = useState(NO_EVIDENCE);
  const pages = useRef<EvidencePages>(null);

  useEffect(() => {
    const created = createEvidencePages(
      (offset) => call('listEvidence', { conversationId, offset, ...(invocationId === null ? {} : { invocationId }) }),
      setState,
    );
    pages.current = created;
    const unlisten = listen('seatEvents', (payload) => {
      const isOfIt = invocationId === null || payload.invocationId === invocationId;
      if (payload.conversationId !== conversationId || !isOfIt) return;
      if (payload.events.some((event) => event.type === 'evidence')) created.grow();
    });
    return () => {
      unlisten();
      created.close();
      setState(NO_EVIDENCE);
    };
  }, [conversationId, invocationId]);

  return {
    state,
    need: (index) => pages.current?.need(index),
    find: (text) => pages.current?.find(text),
  };
}
