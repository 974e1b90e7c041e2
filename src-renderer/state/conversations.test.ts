import { expect, test } from 'vitest';
import { applyToList, useConversations } from './conversations.ts';
import { conversationAt, sampleSnapshot } from './samples.ts';

const { conversation } = sampleSnapshot([]);
const summary = (n: number, more: Partial<typeof conversation> = {}) => ({
  ...conversation,
  id: conversationAt(n),
  createdAt: n,
  ...more,
});

test('the list is ordered by creation and keeps its order when something happens in a conversation', () => {
  for (const n of [2, 1, 3]) applyToList([{ name: 'conversation', payload: { conversation: summary(n) } }]);
  const order = [conversationAt(3), conversationAt(2), conversationAt(1)];
  expect(useConversations.getState().order).toEqual(order);
  applyToList([{ name: 'conversation', payload: { conversation: summary(1, { updatedAt: 99, running: 1 }) } }]);
  expect(useConversations.getState().order).toEqual(order);
  expect(useConversations.getState().byId[conversationAt(1)]?.running).toBe(1);
  applyToList([{ name: 'conversationRemoved', payload: { conversationId: conversationAt(2) } }]);
  expect(useConversations.getState().order).toEqual([conversationAt(3), conversationAt(1)]);
});
