import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateRequest, IMAGE_FORMULAS, imageTokens, messagesTokens, messageTokens, textTokens } from './estimate.ts';
import { answer, anyHistory, image, prompt, result, step } from './historySamples.ts';
import type { ModelUsage } from './messages.ts';

const usage = (inputTokens: number | null): ModelUsage => ({
  inputTokens,
  outputTokens: 7,
  cacheReadTokens: 100_000,
  cacheWriteTokens: 100_000,
});

describe('an image', () => {
  // The examples of the providers' own documentation.
  test.each([
    ['anthropic', 200, 200, 54],
    ['anthropic', 1000, 1000, 1334],
    ['openaiTiles', 512, 512, 255],
    ['openaiTiles', 1024, 1024, 765],
    ['openaiTiles', 2048, 4096, 1105],
    ['openaiPatches', 1024, 1024, 2520],
    ['google', 384, 384, 258],
    ['google', 960, 540, 1548],
  ] as const)('%s counts %i × %i as %i', (family, width, height, tokens) => {
    expect(IMAGE_FORMULAS[family]({ width, height })).toBe(tokens);
  });

  test('of any size costs something, and not more than a small document', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }), (width, height) => {
        const tokens = imageTokens({ width, height });
        expect(tokens).toBeGreaterThanOrEqual(85);
        expect(tokens).toBeLessThan(5000);
      }),
    );
  });

  test('in a prompt and in a result is counted', () => {
    const picture = image('a.png', 1000, 1000);
    const cost = imageTokens(picture);
    expect(messageTokens(prompt('see', [picture, picture])) - messageTokens(prompt('see'))).toBe(2 * cost);
    expect(messageTokens(result('a', 'ok', [picture])) - messageTokens(result('a', 'ok'))).toBe(cost);
  });
});

test('text is counted by its characters, and what is not ASCII by each of them', () => {
  expect(textTokens('')).toBe(0);
  expect(textTokens('word')).toBe(1);
  expect(textTokens('words')).toBe(2);
  expect(textTokens('日本語')).toBe(3);
});

test('arguments of a call that has no JSON do not break the count', () => {
  expect(messageTokens(answer('', [{ id: 'a', name: 'x', input: undefined }]))).toBeGreaterThan(0);
  expect(messageTokens(answer('', [{ id: 'a', name: 'x', input: 1n }]))).toBeGreaterThan(0);
});

describe('a request', () => {
  const tools = [{ name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } }];
  const bare = { system: null, tools: [] };

  test('with a system prompt and tools costs more than its messages', () => {
    const messages = [prompt('hello')];
    const without = estimateRequest({ ...bare, messages }).tokens;
    expect(estimateRequest({ system: 'x'.repeat(400), tools: [], messages }).tokens).toBe(without + 100);
    expect(estimateRequest({ system: null, tools, messages }).tokens).toBeGreaterThan(without);
  });

  test('is anchored at the newest answer that was counted: what the provider counted, and what came since', () => {
    const counted = { ...answer('done'), usage: usage(5000) };
    const since = [prompt('x'.repeat(400), [image('a.png')]), ...step('b', 'output')];
    const messages = [prompt('x'.repeat(4000)), { ...answer('old'), usage: usage(90_000) }, counted, ...since];
    const { tokens } = estimateRequest({ ...bare, messages });
    expect(tokens).toBe(5000 + messageTokens(counted) + messagesTokens(since));
  });

  test('says how far the estimate was off where it was counted', () => {
    const counted = (length: number, tokens: number) => [
      prompt('x'.repeat(length)),
      { ...answer('done'), usage: usage(tokens) },
    ];
    expect(estimateRequest({ ...bare, messages: counted(16_000, 8008) }).scale).toBe(2);
    expect(estimateRequest({ ...bare, messages: counted(40, 800) }).scale).toBe(1);
    expect(estimateRequest({ ...bare, messages: [prompt('a')] }).scale).toBe(1);
  });

  test('of a server that does not count is estimated', () => {
    for (const inputTokens of [0, null]) {
      const messages = [prompt('x'.repeat(4000)), { ...answer('done'), usage: usage(inputTokens) }];
      expect(estimateRequest({ ...bare, messages })).toEqual({ tokens: messagesTokens(messages), scale: 1 });
    }
  });

  test('never costs less when something is added behind it', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const longer = [...messages, prompt('more', [image('a.png')])];
        const more = estimateRequest({ ...bare, messages: longer }).tokens;
        expect(more).toBeGreaterThan(estimateRequest({ ...bare, messages }).tokens);
      }),
    );
  });
});
