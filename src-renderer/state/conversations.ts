import { create } from 'zustand';
import type { BridgeEvent } from '../../src-shared/api.ts';
import type { ConversationSummary } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { call } from './bridge.ts';

interface ConversationsState {
  status: 'loading' | 'ready' | 'failed';
  byId: Readonly<Record<ConversationId, ConversationSummary>>;
  /** Newest first, by creation: the order does not change while the list is looked at. */
  order: readonly ConversationId[];
  /** Records that are stored and cannot be read. */
  unreadable: number;
  failure: Failure | null;
}

/** All conversations, for the sidebar and the palette. */
export const useConversations = create<ConversationsState>()(() => ({
  status: 'loading',
  byId: {},
  order: [],
  unreadable: 0,
  failure: null,
}));

export function byCreation(conversations: readonly ConversationSummary[]): ConversationId[] {
  return [...conversations]
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map((conversation) => conversation.id);
}

export async function loadConversations(): Promise<void> {
  const result = await call('listConversations', {});
  if (!result.ok) {
    useConversations.setState({ status: 'failed', failure: result.error });
    return;
  }
  const { conversations, unreadable } = result.value;
  useConversations.setState({
    status: 'ready',
    byId: Object.fromEntries(conversations.map((conversation) => [conversation.id, conversation])),
    order: byCreation(conversations),
    unreadable,
    failure: null,
  });
}

export function applyToList(events: readonly BridgeEvent[]): void {
  const before = useConversations.getState();
  let { byId, order } = before;
  for (const event of events) {
    if (event.name === 'conversation') {
      const { conversation } = event.payload;
      const isNew = byId[conversation.id] === undefined;
      byId = { ...byId, [conversation.id]: conversation };
      if (isNew) order = byCreation(Object.values(byId));
    } else if (event.name === 'conversationRemoved') {
      const { [event.payload.conversationId]: _removed, ...rest } = byId;
      byId = rest;
      order = order.filter((id) => id !== event.payload.conversationId);
    }
  }
  if (byId !== before.byId) useConversations.setState({ byId, order });
}
