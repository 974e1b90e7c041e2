import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createGate,
  drop,
  fail,
  garbage,
  type LoopbackModel,
  refuse,
  say,
  startLoopbackModel,
  stream,
  think,
  useTool,
  waitFor,
} from './index.ts';

const STREAMED = '/v1beta/models/m-1:streamGenerateContent?alt=sse';
const WHOLE = '/v1beta/models/m-1:generateContent';

let model: LoopbackModel;
beforeEach(async () => {
  model = await startLoopbackModel();
});
afterEach(() => model.close());

function ask(path = STREAMED, body: unknown = { contents: [] }): Promise<Response> {
  return fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
}

async function chunksOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ''));
}

const part = (content: object, more: object = {}) => ({ candidates: [{ content: { parts: [content] }, ...more }] });

test('streams a thought, a message in its pieces and a tool call, and ends with a reason and the tokens', async () => {
  model.script(stream(think('hm'), say('Good ', 'day'), useTool('read_file', { file_path: 'a' }, 'call-1')));
  const response = await ask();
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await chunksOf(response)).toMatchObject([
    part({ text: 'hm', thought: true }),
    part({ text: 'Good ' }),
    part({ text: 'day' }),
    part({ functionCall: { id: 'call-1', name: 'read_file', args: { file_path: 'a' } } }),
    {
      ...part({ text: '' }, { finishReason: 'STOP' }),
      usageMetadata: { promptTokenCount: 1200, cachedContentTokenCount: 200, candidatesTokenCount: 34 },
    },
  ]);
});

test('answers in one piece where it is asked to', async () => {
  model.script(stream(say('Good ', 'day')), stream(fail('UNAVAILABLE', 'busy')));
  expect(await (await ask(WHOLE)).json()).toMatchObject({
    candidates: [{ content: { parts: [{ text: 'Good ' }, { text: 'day' }] }, finishReason: 'STOP' }],
    usageMetadata: { totalTokenCount: 1234 },
  });
  expect(await (await ask(WHOLE)).json()).toEqual({ error: { code: 503, status: 'UNAVAILABLE', message: 'busy' } });
});

test('reads the model, the operator’s texts, images, tools and what they gave back', async () => {
  const data = Buffer.from('bytes').toString('base64');
  model.script(stream());
  await ask(STREAMED, {
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'read_file' }, { name: 'glob' }] }, 7],
    contents: [
      { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data } }] },
      { role: 'model', parts: [{ text: 'not the operator' }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              response: { output: 'a.txt' },
              parts: [{ inlineData: { mimeType: 'image/gif', data } }],
            },
          },
          { functionResponse: { id: 'c2', response: { error: 'no such file' } } },
        ],
      },
      null,
    ],
  });
  expect(model.turns[0]?.input).toEqual({
    model: 'm-1',
    instructions: 'Be brief.',
    userTexts: ['look'],
    images: [
      { mime: 'image/png', bytes: Buffer.from('bytes') },
      { mime: 'image/gif', bytes: Buffer.from('bytes') },
    ],
    toolResults: [
      { callId: 'c1', output: 'a.txt' },
      { callId: 'c2', output: 'no such file' },
    ],
    tools: ['read_file', 'glob'],
  });
});

test('a failure stands by itself in the stream, and is the end of it', async () => {
  model.script(stream(say('half'), fail('RESOURCE_EXHAUSTED', 'too much')));
  const text = await (await ask()).text();
  expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toEqual({
    error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'too much' },
  });
  expect(text).not.toContain('finishReason');
});

test('gates, garbage and refusals are as in every protocol', async () => {
  const gate = createGate();
  model.script(stream(garbage('data: {{{\n\n'), waitFor(gate), say('after')), refuse(429, { error: { code: 429 } }));
  const response = await ask();
  await gate.reached;
  gate.open();
  const text = await response.text();
  expect(text.indexOf('{{{')).toBeLessThan(text.indexOf('after'));
  expect((await ask()).status).toBe(429);
});

test('a dropped connection breaks off in the middle', async () => {
  model.script(stream(say('half'), drop(), say('never')));
  await expect(ask().then((response) => response.text())).rejects.toThrow();
});

test('other methods of a model are none of its business', async () => {
  expect((await ask('/v1beta/models/m-1:countTokens')).status).toBe(404);
  expect(model.turns).toEqual([]);
});
