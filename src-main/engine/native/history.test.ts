import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MISSING_RESULT, repairHistory } from './history.ts';
import { answer, anyHistory, faultsOf, prompt, result, soundHistory } from './historySamples.ts';
import type { ToolCall } from './messages.ts';

const NOTHING = { missing: 0, orphans: 0, renamed: 0 };
const call = (id: string): ToolCall => ({ id, name: 'read', input: {} });

test('any sequence of messages becomes a history that providers take, and a second repair changes nothing', () => {
  fc.assert(
    fc.property(anyHistory, (messages) => {
      const { messages: repaired } = repairHistory(messages);
      expect(faultsOf(repaired)).toEqual([]);
      expect(repairHistory(repaired)).toEqual({ messages: repaired, diagnostics: NOTHING });
    }),
    { numRuns: 500 },
  );
});

test('a sound history comes back as the same value', () => {
  fc.assert(
    fc.property(soundHistory, (messages) => {
      expect(faultsOf(messages)).toEqual([]);
      const repaired = repairHistory(messages);
      expect(repaired.messages).toBe(messages);
      expect(repaired.diagnostics).toEqual(NOTHING);
    }),
  );
});

test('nothing but results is added or left out, and what stays keeps its text and its order', () => {
  fc.assert(
    fc.property(anyHistory, (messages) => {
      const { messages: repaired, diagnostics } = repairHistory(messages);
      const spoken = (list: typeof messages) => list.flatMap((m) => (m.role === 'tool' ? [] : [m.role + m.text]));
      expect(spoken([...repaired])).toEqual(spoken(messages));
      const results = (list: readonly { role: string }[]) => list.filter(({ role }) => role === 'tool').length;
      expect(results(repaired)).toBe(results(messages) + diagnostics.missing - diagnostics.orphans);
    }),
  );
});

test('results in another order than their calls are all kept', () => {
  const messages = [prompt('go'), answer('', [call('a'), call('b')]), result('b', 'B'), result('a', 'A')];
  expect(repairHistory(messages).messages).toBe(messages);
});

test('a call that a crash left without a result gets one that says so', () => {
  const messages = [prompt('go'), answer('', [call('a'), call('b')]), result('b', 'B'), prompt('and now?')];
  const repaired = repairHistory(messages);
  expect(repaired.diagnostics).toEqual({ ...NOTHING, missing: 1 });
  expect(repaired.messages).toEqual([
    ...messages.slice(0, 3),
    { role: 'tool', callId: 'a', status: 'missing', text: MISSING_RESULT, attachments: [] },
    prompt('and now?'),
  ]);
});

test('a result whose call was lost, and a second result of one call, are left out and counted', () => {
  const messages = [
    result('x', 'X'),
    answer('', [call('a')]),
    result('a', 'first'),
    result('a', 'second'),
    prompt('go'),
  ];
  const repaired = repairHistory(messages);
  expect(repaired.diagnostics).toEqual({ ...NOTHING, orphans: 2 });
  expect(repaired.messages).toEqual([messages[1], messages[2], messages[4]]);
});

test('calls with one id, or none, are told apart and keep their own results', () => {
  const messages = [
    answer('', [call('a'), call('a'), call('')]),
    result('a', 'first'),
    result('', 'third'),
    result('a', 'second'),
    answer('', [call('a')]),
    result('a', 'fourth'),
  ];
  const repaired = repairHistory(messages);
  expect(repaired.diagnostics).toEqual({ ...NOTHING, renamed: 3 });
  expect(repaired.messages).toEqual([
    answer('', [call('a'), call('a_2'), call('call_2')]),
    result('a', 'first'),
    result('call_2', 'third'),
    result('a_2', 'second'),
    answer('', [call('a_3')]),
    result('a_3', 'fourth'),
  ]);
});
