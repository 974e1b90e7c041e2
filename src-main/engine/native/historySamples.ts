import fc from 'fast-check';
import type { AssistantMessage, ChatMessage, ToolMessage, UserAttachment, UserMessage } from './messages.ts';

/** Histories for tests: any sequence of messages, and sound ones. */

export function image(name: string, width = 800, height = 600): UserAttachment {
  return { kind: 'image', mime: 'image/png', path: `/attachments/${name}`, name, bytes: 1000, width, height };
}

export function prompt(text: string, attachments: UserAttachment[] = []): UserMessage {
  return { role: 'user', text, attachments, kind: 'prompt' };
}

export function answer(text: string, calls: AssistantMessage['calls'] = []): AssistantMessage {
  return { role: 'assistant', text, thinking: null, calls, usage: null, partial: false };
}

export function result(callId: string, text: string, attachments: UserAttachment[] = []): ToolMessage {
  return { role: 'tool', callId, status: 'ok', text, attachments };
}

/** A step: one call and its result. */
export function step(callId: string, output: string): ChatMessage[] {
  return [answer('', [{ id: callId, name: 'read', input: { path: `${callId}.txt` } }]), result(callId, output)];
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }), fc.constant(''));
const tokens = fc.option(fc.nat(1_000_000));
const attachment = fc
  .tuple(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 9000 }),
    fc.integer({ min: 1, max: 9000 }),
  )
  .map(([name, width, height]) => image(name, width, height));
const attachments = fc.array(attachment, { maxLength: 3 });

const userMessages: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant('user'),
  text,
  attachments,
  kind: fc.constantFrom('prompt', 'summary'),
});

const assistantWith = (ids: fc.Arbitrary<string>): fc.Arbitrary<AssistantMessage> =>
  fc.record({
    role: fc.constant('assistant'),
    text,
    thinking: fc.option(fc.record({ text, signature: fc.option(text) })),
    calls: fc.array(fc.record({ id: ids, name: text, input: jsonInput }), { maxLength: 3 }),
    usage: fc.option(
      fc.record({ inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens, cacheWriteTokens: tokens }),
    ),
    partial: fc.boolean(),
  });

/** What JSON gives back as it was: no `-0`. */
const jsonInput = fc.json({ maxDepth: 3 }).map((json): unknown => JSON.parse(json.replaceAll('-0', '0')));

const toolWith = (ids: fc.Arbitrary<string>): fc.Arbitrary<ToolMessage> =>
  fc.record({
    role: fc.constant('tool'),
    callId: ids,
    status: fc.constantFrom('ok', 'failed', 'denied', 'interrupted', 'missing'),
    text,
    attachments,
  });

/** Few ids, so that they meet: empty ones, doubled ones, and such as a repair could come up with. */
const colliding = fc.constantFrom('a', 'b', 'a_2', '', 'call_2');

/** Messages in any order, with results that match or do not. */
export const anyHistory: fc.Arbitrary<ChatMessage[]> = fc.array(
  fc.oneof(userMessages, assistantWith(colliding), toolWith(colliding)),
  { maxLength: 12 },
);

const group: fc.Arbitrary<ChatMessage[]> = fc.oneof(
  userMessages.map((message) => [message]),
  assistantWith(fc.constant('')).chain((message) =>
    fc
      .tuple(
        fc.array(toolWith(fc.constant('')), { minLength: message.calls.length, maxLength: message.calls.length }),
        fc.infiniteStream(fc.nat()),
      )
      .map(([results, order]) => {
        const shuffled = results
          .map((row, index) => ({ row: { ...row, callId: String(index) }, key: order.next().value ?? 0 }))
          .sort((one, other) => one.key - other.key)
          .map(({ row }) => row);
        return [
          { ...message, calls: message.calls.map((call, index) => ({ ...call, id: String(index) })) },
          ...shuffled,
        ];
      }),
  ),
);

/** Histories in which every call has its one result, in any order within its block. */
export const soundHistory: fc.Arbitrary<ChatMessage[]> = fc
  .array(group, { maxLength: 8 })
  .map((groups) =>
    groups.flatMap((messages, number) => messages.map((message) => withIdPrefix(message, `call_${number}_`))),
  );

function withIdPrefix(message: ChatMessage, prefix: string): ChatMessage {
  switch (message.role) {
    case 'user':
      return message;
    case 'assistant':
      return { ...message, calls: message.calls.map((call) => ({ ...call, id: prefix + call.id })) };
    case 'tool':
      return { ...message, callId: prefix + message.callId };
  }
}

/** What a provider would refuse in a history; empty for a sound one. Written apart from the code that repairs. */
export function faultsOf(messages: readonly ChatMessage[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.callId)) faults.push(`${index}: result without a call: ${message.callId}`);
      continue;
    }
    for (const id of waiting) faults.push(`${index}: call without a result: ${id}`);
    waiting = new Set();
    if (message.role === 'user') continue;
    for (const { id } of message.calls) {
      if (id === '') faults.push(`${index}: call without an id`);
      if (seen.has(id)) faults.push(`${index}: second call of one id: ${id}`);
      seen.add(id);
      waiting.add(id);
    }
  }
  for (const id of waiting) faults.push(`end: call without a result: ${id}`);
  return faults;
}
