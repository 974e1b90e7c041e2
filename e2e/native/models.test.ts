import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChatMessage,
  type ModelChunk,
  type ModelConnection,
  ModelFailure,
  type ModelRequest,
  openModel,
  type ToolSpec,
  type UserAttachment,
} from '../../src-main/engine/native/index.ts';
import {
  drop,
  fail,
  type LoopbackModel,
  refuse,
  say,
  startLoopbackModel,
  stream,
  think,
  useTool,
} from '../loopback-model/index.ts';

let server: LoopbackModel;
let directory: string;
let image: UserAttachment;

beforeEach(async () => {
  server = await startLoopbackModel();
  directory = await mkdtemp(join(tmpdir(), 'parley-models-'));
  const path = join(directory, 'dot.png');
  const bytes = PNG.sync.write(new PNG({ width: 2, height: 2 }));
  await writeFile(path, bytes);
  image = { kind: 'image', mime: 'image/png', path, name: 'dot.png', bytes: bytes.length, width: 2, height: 2 };
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const PROTOCOLS = [
  { protocol: 'openai-compatible', version: '/v1' },
  { protocol: 'anthropic', version: '/v1' },
  { protocol: 'google', version: '/v1beta' },
] as const;

const LOOK: ToolSpec = {
  name: 'look',
  description: 'Looks at a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const user = (text: string, attachments: UserAttachment[] = []): ChatMessage => ({
  role: 'user',
  text,
  attachments,
  kind: 'prompt',
});

describe.each(PROTOCOLS)('$protocol', ({ protocol, version }) => {
  const open = () => {
    const connection: ModelConnection = {
      protocol,
      baseUrl: `${server.url}${version}`,
      apiKey: 'key',
      model: 'm-1',
      contextWindow: 100_000,
      maxOutputTokens: null,
    };
    return openModel(connection);
  };
  async function ask(messages: ChatMessage[], tools: ToolSpec[] = [], signal = new AbortController().signal) {
    const request: ModelRequest = { system: 'Be brief.', messages, tools };
    const chunks: ModelChunk[] = [];
    for await (const chunk of open().stream(request, signal)) chunks.push(chunk);
    return chunks;
  }
  async function failure(messages: ChatMessage[] = [user('hi')]): Promise<ModelFailure> {
    const error = await ask(messages).catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelFailure)) throw new Error(`not a failure of the model: ${String(error)}`);
    return error;
  }
  const textOf = (chunks: readonly ModelChunk[]) =>
    chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : [])).join('');

  test('a reply streams in its pieces, with thinking apart and usage at the end', async () => {
    server.script(stream(think('Hm.'), say('One, ', 'two.')));
    const chunks = await ask([user('Count.')]);
    expect(textOf(chunks)).toBe('One, two.');
    expect(chunks.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    expect(chunks.flatMap((chunk) => (chunk.type === 'thinking' ? [chunk.text] : [])).join('')).toBe('Hm.');
    expect(chunks.at(-1)).toEqual({
      type: 'finish',
      stop: { kind: 'end' },
      usage: expect.objectContaining({ inputTokens: expect.any(Number), outputTokens: 34, cacheReadTokens: 200 }),
    });
    const { input } = await server.turn(0);
    expect(input).toMatchObject({ instructions: 'Be brief.', userTexts: ['Count.'], tools: [] });
  });

  test('images reach the model, byte for byte, after the text', async () => {
    server.script(stream(say('A dot.')));
    await ask([user('What is it?', [image])]);
    const { input } = await server.turn(0);
    expect(input?.images.map(({ mime }) => mime)).toEqual(['image/png']);
    expect(input?.images[0]?.bytes.equals(await readFile(image.path))).toBe(true);
    expect(input?.userTexts).toEqual(['What is it?']);
  });

  test('a call comes whole, and its result goes back under its id, with the image that the tool showed', async () => {
    server.script(stream(say('I look.'), useTool('look', { path: 'a.png' })), stream(say('Seen.')));
    const first = await ask([user('Look.')], [LOOK]);
    const calls = first.flatMap((chunk) => (chunk.type === 'call' ? [chunk] : []));
    expect(calls).toEqual([
      { type: 'call', truncated: false, call: { id: expect.any(String), name: 'look', input: { path: 'a.png' } } },
    ]);
    expect(first.at(-1)).toMatchObject({ type: 'finish' });
    const [call] = calls;
    if (call === undefined) throw new Error('no call');
    await ask(
      [
        user('Look.'),
        { role: 'assistant', text: 'I look.', thinking: null, calls: [call.call], usage: null, partial: false },
        { role: 'tool', callId: call.call.id, status: 'ok', text: 'two pixels wide', attachments: [image] },
      ],
      [LOOK],
    );
    const { input } = await server.turn(1);
    expect(input?.toolResults.map(({ output }) => output).join('')).toContain('two pixels wide');
    expect(input?.images[0]?.bytes.equals(await readFile(image.path))).toBe(true);
    expect(input?.tools).toEqual(['look']);
  });

  test('a reply that breaks off is dropped or the network’s, never finished', async () => {
    server.script(stream(say('Half an ans'), drop()));
    const error = await failure();
    expect(['dropped', 'network']).toContain(error.kind);
    expect(error.retryable).toBe(true);
  });

  test('what the provider refuses has a kind of its own', async () => {
    server.script(
      refuse(401, { error: { message: 'bad key', type: 'authentication_error' } }),
      refuse(429, { error: { message: 'Rate limit reached', type: 'rate_limit_error' } }, { 'retry-after': '7' }),
      refuse(404, { error: { message: 'model m-1 not found', type: 'not_found_error' } }),
      refuse(400, { error: { message: 'prompt is too long: 9 tokens > 8 maximum', type: 'invalid_request_error' } }),
      refuse(503, { error: { message: 'down', type: 'api_error' } }),
      refuse(429, { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } }),
    );
    expect((await failure()).kind).toBe('auth');
    const limited = await failure();
    expect([limited.kind, limited.retryAfterMs]).toEqual(['rate-limit', 7_000]);
    expect((await failure()).kind).toBe('model-not-found');
    expect((await failure()).kind).toBe('context-overflow');
    const down = await failure();
    expect([down.kind, down.retryable]).toEqual(['server', true]);
    expect((await failure()).kind).toBe('usage-limit');
    // One request each: whether to ask again is the turn's decision.
    expect(server.turns).toHaveLength(6);
  });

  test('a failure inside the stream is a failure', async () => {
    server.script(stream(say('Well'), fail('overloaded_error', 'Overloaded')));
    expect((await failure()).retryable).toBe(true);
  });

  test('a server that is not there is the network’s', async () => {
    await server.close();
    expect((await failure()).kind).toBe('network');
    server = await startLoopbackModel();
  });

  test('cancelling ends a request that has not been answered yet', async () => {
    const controller = new AbortController();
    server.script(() => new Promise(() => {}));
    const asked = ask([user('hi')], [], controller.signal);
    await server.turn(0);
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(controller.signal.aborted).toBe(true);
  });
});
