import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Compaction, compact } from './compaction.ts';
import { fitTranscript } from './compactionSummary.ts';
import { cutMiddle } from './compactionText.ts';
import { imageTokens, messagesTokens, textTokens } from './estimate.ts';
import { answer, anyHistory, faultsOf, image, prompt, result, soundHistory, step } from './historySamples.ts';
import type { ChatMessage, ModelUsage, UserMessage } from './messages.ts';
import { type Model, type ModelChunk, ModelFailure, type ModelRequest } from './model.ts';

const USAGE: ModelUsage = { inputTokens: 50, outputTokens: 20, cacheReadTokens: null, cacheWriteTokens: null };

/** A model that answers as it is told to, and remembers what it was asked. */
class Answering implements Model {
  readonly id = 'answering';
  readonly requests: ModelRequest[] = [];

  constructor(
    readonly contextWindow: number,
    private readonly reply: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelChunk> | ModelChunk[],
  ) {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk> {
    this.requests.push(request);
    yield* this.reply(request, signal);
  }
}

const says = (text: string, stop: 'end' | 'max-tokens' | 'refusal' = 'end'): ModelChunk[] => [
  { type: 'thinking', text: 'hm', signature: null },
  ...[text.slice(0, 3), text.slice(3)].map((piece): ModelChunk => ({ type: 'text', text: piece })),
  { type: 'finish', stop: { kind: stop }, usage: USAGE },
];

const run = (model: Model, messages: readonly ChatMessage[], more: { isForced?: boolean; signal?: AbortSignal } = {}) =>
  compact({
    model,
    request: { system: 'You are an agent.', messages, tools: [] },
    signal: more.signal ?? new AbortController().signal,
    ...(more.isForced === undefined ? {} : { isForced: more.isForced }),
  });

/** Of about `count` estimated tokens. */
const words = (count: number) => 'word'.repeat(count);

const images = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [] : message.attachments.map(({ name }) => name)));

function changed(compaction: Compaction) {
  if (compaction.kind !== 'pruned' && compaction.kind !== 'summarised') throw new Error(`it was ${compaction.kind}`);
  return compaction;
}

/** A turn of a prompt, two steps and an answer. */
const turn = (id: string, tokens: number, attachments: UserMessage['attachments'] = []): ChatMessage[] => [
  prompt(`prompt ${id}`, attachments),
  ...step(`${id}_1`, `output of ${id}_1 ${words(tokens)}`),
  ...step(`${id}_2`, `output of ${id}_2 ${words(tokens)}`),
  answer(`answer ${id} ${words(20)}`),
];
const chatter = (id: string, tokens: number): ChatMessage[] => [
  prompt(`prompt ${id}`),
  answer(`${id} ${words(tokens)}`),
];

describe('whatever the history', () => {
  const size = fc.oneof({ weight: 3, arbitrary: fc.nat(80) }, fc.nat(4000));
  const picture = fc
    .tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 4000 }))
    .map(([n, w]) => image(`${n}.png`, w, w));
  const user = fc
    .tuple(size, fc.array(picture, { maxLength: 2 }), fc.integer({ min: 0, max: 9 }))
    .map(([length, attachments, kind]): ChatMessage[] => [
      { ...prompt(words(length), attachments), kind: kind === 0 ? 'summary' : 'prompt' },
    ]);
  const acting = fc
    .tuple(size, fc.array(fc.tuple(size, fc.array(picture, { maxLength: 1 })), { maxLength: 3 }))
    .map(([length, results]): ChatMessage[] => [
      answer(
        words(length),
        results.map((_, index) => ({ id: `${index}`, name: 'read', input: { path: 'x' } })),
      ),
      ...results.map(([output, shown], index) => result(`${index}`, words(output), shown)),
    ]);
  /** What a provider would have counted whose tokens are `scale` of the estimated ones; `null` when it does not count. */
  const counted = (messages: ChatMessage[], scale: number | null): ChatMessage[] =>
    messages.map((message, index) => {
      if (message.role !== 'assistant' || scale === null) return message;
      const inputTokens = Math.round(scale * messagesTokens(messages.slice(0, index)));
      return { ...message, usage: { ...USAGE, inputTokens } };
    });
  const scale = fc.option(fc.double({ min: 0.5, max: 3, noNaN: true }));
  const history = fc.tuple(fc.array(fc.oneof(user, acting), { maxLength: 20 }), scale).map(([groups, by]) =>
    counted(
      groups.flatMap((messages, number) =>
        messages.map((message): ChatMessage => {
          if (message.role === 'tool') return { ...message, callId: `${number}_${message.callId}` };
          if (message.role === 'user') return message;
          return { ...message, calls: message.calls.map((call) => ({ ...call, id: `${number}_${call.id}` })) };
        }),
      ),
      by,
    ),
  );

  test('a compacted one is sound, smaller, has the current prompt as it was, and is not compacted again at once', async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1000, max: 40_000 }), size, fc.boolean(), async (...given) => {
        const [messages, window, length, isForced] = given;
        expect(faultsOf(messages)).toEqual([]);
        const before = JSON.stringify(messages);
        const model = new Answering(window, () => says(`SUMMARY ${words(length)}`));
        const compaction = await run(model, messages, { isForced });
        kinds.set(compaction.kind, (kinds.get(compaction.kind) ?? 0) + 1);
        expect(JSON.stringify(messages)).toBe(before);
        if (compaction.kind !== 'pruned' && compaction.kind !== 'summarised') {
          expect(['unneeded', 'futile']).toContain(compaction.kind);
          expect(model.requests).toEqual([]);
          return;
        }
        const after = compaction.messages;
        expect(faultsOf(after)).toEqual([]);
        expect(messagesTokens(after)).toBeLessThan(messagesTokens(messages));
        expect(compaction.report.tokensAfter).toBeLessThan(compaction.report.tokensBefore);
        const current = messages.findLast((message) => message.role === 'user' && message.kind === 'prompt');
        if (current !== undefined && current.text !== '') expect(after).toContainEqual(current);
        if (compaction.kind === 'summarised') {
          const users = after.filter((message) => message.role === 'user');
          for (const { text, attachments } of users) expect(text.trim() !== '' || attachments.length > 0).toBe(true);
          expect(users.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
          for (const { system, messages: sent } of model.requests) {
            expect(textTokens(system ?? '') + messagesTokens(sent)).toBeLessThan(window);
          }
        }
        // Nothing in it claims a size that it had before.
        const again = new Answering(window, () => says('SUMMARY'));
        expect(['unneeded', 'futile']).toContain((await run(again, after)).kind);
      }),
      { numRuns: 300, endOnFailure: true },
    );
    for (const kind of ['unneeded', 'futile', 'pruned', 'summarised']) expect(kinds.get(kind) ?? 0).toBeGreaterThan(5);
  });

  test('of any content at all, a compaction ends in a sound history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(soundHistory, soundHistory), async (messages) => {
        const compaction = await run(new Answering(1000, () => says('SUMMARY')), messages, { isForced: true });
        if (compaction.kind === 'pruned' || compaction.kind === 'summarised') {
          expect(faultsOf(compaction.messages)).toEqual([]);
        }
      }),
    );
  });
});

describe('pruning', () => {
  test('takes old outputs out and leaves the newest, without asking a model', async () => {
    const messages = [...turn('a', 3000), ...turn('b', 300), prompt('now')];
    const model = new Answering(8000, () => []);
    const { messages: after, ...compaction } = changed(await run(model, messages));
    expect(compaction).toMatchObject({ kind: 'pruned', results: 2 });
    expect(model.requests).toEqual([]);
    expect(after.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
    expect(after[2]?.text).toContain('was taken out');
    expect(after.slice(6)).toEqual(messages.slice(6));
  });

  test('names the images of an output that it takes out', async () => {
    const seen = [
      answer('', [{ id: 'v', name: 'view_image', input: {} }]),
      result('v', words(3000), [image('shot.png')]),
    ];
    const messages = [prompt('look'), ...seen, ...turn('b', 100), prompt('now', [image('now.png')])];
    const { messages: after } = changed(await run(new Answering(5500, () => []), messages));
    expect(images(after)).toEqual(['now.png']);
    expect(after[2]?.text).toContain('/attachments/shot.png');
  });

  test('shortens a last output that alone is too much, since the model has not seen it', async () => {
    const messages = [prompt('read it'), ...step('a', `BEGIN ${words(20_000)} END`)];
    const { messages: after } = changed(await run(new Answering(10_000, () => []), messages));
    expect(after[0]).toEqual(prompt('read it'));
    expect(after[2]?.text).toMatch(/^BEGIN .*characters left out.* END$/s);
    expect(messagesTokens(after)).toBeLessThan(3000);
  });
});

describe('a summary', () => {
  const model = () => new Answering(8000, () => says('THE SUMMARY'));

  test('stands where the older messages stood, before the newest ones and behind the earlier prompts', async () => {
    const messages = [...chatter('a', 3000), ...chatter('b', 3000), ...chatter('c', 1500), prompt('now')];
    const { messages: after, report, ...compaction } = changed(await run(model(), messages));
    expect(compaction).toEqual({ kind: 'summarised', usage: USAGE });
    expect(
      after.map(({ role, text }) => (text.includes('THE SUMMARY') ? 'summary' : `${role} ${text.slice(0, 8)}`)),
    ).toEqual(['user prompt a', 'user prompt b', 'summary', 'user prompt c', `assistant c wordwo`, 'user now']);
    expect(after.find((message) => message.role === 'user' && message.kind === 'summary')?.text).toContain(
      'THE SUMMARY',
    );
    expect(report).toMatchObject({ messagesBefore: 7, messagesAfter: 6 });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2);
  });

  test('of one long turn keeps its prompt with its images, and its newest steps', async () => {
    const steps = Array.from({ length: 12 }, (_, number) => [
      answer(words(500), [{ id: `s${number}`, name: 'read', input: {} }]),
      result(`s${number}`, `output ${number} ${words(80)}`),
    ]).flat();
    const messages = [prompt('do it all', [image('plan.png')]), ...steps];
    const { messages: after, kind } = changed(await run(model(), messages));
    expect(kind).toBe('summarised');
    expect(faultsOf(after)).toEqual([]);
    expect(after[0]).toMatchObject({ role: 'user', kind: 'summary' });
    expect(after[1]).toEqual(messages[0]);
    expect(after.slice(2)).toEqual(messages.slice(-(after.length - 2)));
    expect(after.length).toBeGreaterThan(3);
  });

  test('keeps the images of recent turns, and names those of older ones', async () => {
    const small = (name: string) => image(name, 200, 200);
    const messages = ['a', 'b', 'c', 'd'].flatMap((id): ChatMessage[] => [
      prompt(id === 'c' ? '' : `prompt ${id}`, [small(`${id}.png`)]),
      answer(words(2500)),
    ]);
    const all = [...messages, prompt('now', [small('now.png')])];
    const { messages: after, kind } = changed(await run(new Answering(12_000, () => says('THE SUMMARY')), all));
    expect(kind).toBe('summarised');
    expect(images(after)).toEqual(['c.png', 'd.png', 'now.png']);
    const text = after.map((message) => message.text).join('\n');
    expect(text).toContain('/attachments/a.png');
    expect(text).toContain('/attachments/b.png');
  });

  test('keeps the images of the current prompt, however many', async () => {
    const many = Array.from({ length: 30 }, (_, number) => image(`${number}.png`, 2000, 2000));
    const messages = [...chatter('a', 9000), ...chatter('b', 9000), prompt('', many)];
    const window = 20 * imageTokens({ width: 2000, height: 2000 });
    const { messages: after } = changed(await run(new Answering(window, () => says('THE SUMMARY')), messages));
    expect(after.at(-1)).toEqual(prompt('', many));
  });

  test('folds an earlier one in: the model reads it, and only the new one stays', async () => {
    const first: UserMessage = { ...prompt('THE FIRST SUMMARY'), kind: 'summary' };
    const asked = model();
    const messages = [prompt('old'), first, ...chatter('a', 4000), ...chatter('b', 4000), prompt('now')];
    const { messages: after } = changed(await run(asked, messages));
    expect(asked.requests[0]?.messages[0]?.text).toContain('THE FIRST SUMMARY');
    expect(after.filter((message) => message.role === 'user' && message.kind === 'summary')).toHaveLength(1);
    expect(JSON.stringify(after)).not.toContain('THE FIRST SUMMARY');
  });

  test('a prompt that looks like one is a prompt', async () => {
    const text = '[Earlier messages were taken out to make room.] <conversation-summary>';
    const messages = [prompt(text), answer(words(4000)), ...chatter('b', 4000), prompt('now')];
    const { messages: after } = changed(await run(model(), messages));
    expect(after[0]).toEqual(prompt(text));
  });

  test('that is too long is cut, and one that the token limit cut says so', async () => {
    const messages = [...chatter('a', 4000), ...chatter('b', 4000), prompt('now')];
    const long = changed(await run(new Answering(8000, () => says(words(50_000))), messages));
    expect(messagesTokens(long.messages)).toBeLessThan(4000);
    const cut = changed(await run(new Answering(8000, () => says('THE SUMMARY', 'max-tokens')), messages));
    expect(JSON.stringify(cut.messages)).toContain('The summary breaks off here');
  });

  test('is asked for with the outputs shortened and without tools', async () => {
    const asked = new Answering(20_000, () => says('THE SUMMARY'));
    const messages = [
      ...chatter('a', 12_000),
      ...step('x', `BEGIN ${words(9000)} END`),
      ...chatter('b', 4000),
      prompt('now'),
    ];
    changed(await run(asked, messages));
    const [request] = asked.requests;
    expect(request?.tools).toEqual([]);
    expect(request?.messages).toHaveLength(1);
    expect(request?.messages[0]?.text).toMatch(/# Result of read \(ok\)\nBEGIN .*left out.* END/s);
  });

  test('is asked for again with less when the provider finds the request too long', async () => {
    const sizes: number[] = [];
    const asked = new Answering(20_000, ({ messages }) => {
      sizes.push(messagesTokens(messages));
      if (sizes.length < 3) throw new ModelFailure('context-overflow', 'prompt is too long');
      return says('THE SUMMARY');
    });
    const messages = [...Array.from({ length: 20 }, (_, n) => chatter(`t${n}`, 1000)).flat(), prompt('now')];
    expect(changed(await run(asked, messages)).kind).toBe('summarised');
    const [first = 0, second = 0, third = 0] = sizes;
    expect(second).toBeLessThan(first * 0.7);
    expect(third).toBeLessThan(second * 0.7);
  });
});

describe('a history that stays as it is', () => {
  const messages = [...chatter('a', 4000), ...chatter('b', 4000), prompt('now')];

  test.each([
    ['an empty answer', says(' \n'), 'empty', null],
    ['a refusal', says('no', 'refusal'), 'refused', null],
    ['a stream that ends early', says('half').slice(0, 2), 'ended', 'dropped'],
  ])('after %s', async (_name, chunks, message, kind) => {
    const compaction = await run(new Answering(8000, () => chunks), messages);
    expect(compaction).toMatchObject({ kind: 'failed', message: expect.stringContaining(message) });
    expect(compaction.kind === 'failed' ? (compaction.failure?.kind ?? null) : '').toBe(kind);
  });

  test.each(['auth', 'network', 'context-overflow'] as const)('after a failure of kind %s', async (kind) => {
    const failing = new Answering(8000, () => {
      throw new ModelFailure(kind, 'as the provider says it');
    });
    const compaction = await run(failing, messages);
    expect(compaction).toMatchObject({ kind: 'failed', message: 'as the provider says it', failure: { kind } });
    expect(failing.requests).toHaveLength(kind === 'context-overflow' ? 3 : 1);
  });

  test('after anything else that is thrown', async () => {
    const failing = new Answering(8000, () => {
      throw new TypeError('a fault');
    });
    expect(await run(failing, messages)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'other', message: 'a fault' },
    });
  });

  test('when it is cancelled while the model is silent, even if the model does not listen', async () => {
    const cancel = new AbortController();
    const deaf = new Answering(8000, async function* () {
      yield { type: 'text', text: 'The' };
      cancel.abort();
      await new Promise(() => {});
    });
    expect(await run(deaf, messages, { signal: cancel.signal })).toEqual({ kind: 'cancelled' });
  });

  test('when it is cancelled, and the model then fails or answers', async () => {
    for (const end of ['fail', 'answer']) {
      const cancel = new AbortController();
      const model = new Answering(8000, () => {
        cancel.abort();
        if (end === 'fail') throw new Error('aborted');
        return says('THE SUMMARY');
      });
      expect(await run(model, messages, { signal: cancel.signal })).toEqual({ kind: 'cancelled' });
    }
    const model = new Answering(8000, () => says('x'));
    expect(await run(model, messages, { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
    expect(model.requests).toEqual([]);
  });

  test('when there is room, and when nothing can be taken out', async () => {
    const model = new Answering(8000, () => says('x'));
    expect((await run(model, chatter('a', 5000))).kind).toBe('unneeded');
    expect((await run(model, [prompt(words(9000))])).kind).toBe('futile');
    expect((await run(model, [...chatter('a', 30), prompt(words(9000))])).kind).toBe('futile');
    expect(model.requests).toEqual([]);
  });
});

describe('when it starts', () => {
  test('images count', async () => {
    const pictures = Array.from({ length: 8 }, (_, number) => image(`${number}.png`, 1000, 1000));
    const messages = [prompt('old', pictures.slice(0, 6)), answer('seen'), prompt('now', pictures.slice(6))];
    const window = 9 * imageTokens({ width: 1000, height: 1000 });
    const few = [prompt('old'), answer('seen'), prompt('now')];
    const model = new Answering(window, () => says('THE SUMMARY'));
    expect((await run(model, few)).kind).toBe('unneeded');
    expect((await run(model, messages)).kind).not.toBe('unneeded');
  });

  test('what the provider counted counts', async () => {
    const counted = { ...answer(words(1500)), usage: { ...USAGE, inputTokens: 9000 } };
    const messages = [...chatter('a', 1500), prompt('b'), counted, prompt('now')];
    const model = () => new Answering(10_000, () => says('THE SUMMARY'));
    expect(changed(await run(model(), messages)).kind).toBe('summarised');
    expect((await run(model(), [...messages.slice(0, 3), answer(words(1500)), prompt('now')])).kind).toBe('unneeded');
  });

  test('forced, it makes room below the threshold too', async () => {
    const messages = [...chatter('a', 800), ...chatter('b', 800), prompt('now')];
    const model = new Answering(100_000, () => says('THE SUMMARY'));
    expect((await run(model, messages)).kind).toBe('unneeded');
    expect(changed(await run(model, messages, { isForced: true })).kind).toBe('summarised');
  });
});

describe('shortening', () => {
  test('a text keeps within its tokens, its ends, and its characters whole', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.string({ maxLength: 4000 }));
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 400 }), (whole, tokens) => {
        const cut = cutMiddle(whole, tokens);
        expect(textTokens(cut)).toBeLessThanOrEqual(tokens);
        if (textTokens(whole) <= tokens) expect(cut).toBe(whole);
        expect(/\p{Surrogate}/u.test(cut) && !/\p{Surrogate}/u.test(whole)).toBe(false);
      }),
    );
  });

  test('a transcript keeps within its tokens, and its newest entry and its summary longest', () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.integer({ min: 100, max: 5000 }),
        fc.integer({ min: 0, max: 3 }),
        (some, budget, times) => {
          const messages = [...Array.from({ length: times * 20 }, () => some).flat()];
          const text = fitTranscript(messages, budget);
          expect(textTokens(text)).toBeLessThanOrEqual(budget);
        },
      ),
    );
    const summary: UserMessage = { ...prompt('WHAT WAS'), kind: 'summary' };
    const many = Array.from({ length: 200 }, (_, number) => prompt(`prompt ${number} ${words(20)}`));
    const text = fitTranscript([summary, ...many], 500);
    expect(text).toContain('WHAT WAS');
    expect(text).toContain('prompt 199 ');
    expect(text).not.toContain('prompt 0 ');
    expect(text).toMatch(/\[1\d\d earlier entries were left out/);
  });
});
