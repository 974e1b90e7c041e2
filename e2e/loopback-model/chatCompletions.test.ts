import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createGate,
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

let model: LoopbackModel;
beforeEach(async () => {
  model = await startLoopbackModel();
});
afterEach(() => model.close());

const TOOLS = [{ type: 'function', function: { name: 'bash' } }];

function ask(body: object = {}): Promise<Response> {
  return fetch(`${model.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, messages: [], tools: TOOLS, ...body }),
  });
}

/** The `data:` of every event but the last, which says that it is the last. */
async function chunksOf(response: Response): Promise<unknown[]> {
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? '');
  expect(data.pop()).toBe('[DONE]');
  return data.map((text) => JSON.parse(text));
}

const delta = (fields: object) => expect.objectContaining({ choices: [expect.objectContaining({ delta: fields })] });

test('a message comes in its pieces after a thought, and ends with the tokens', async () => {
  model.script(stream(think('hm'), say('Good ', 'day')));
  expect(await chunksOf(await ask())).toEqual([
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'hm' }),
    delta({ content: 'Good ' }),
    delta({ content: 'day' }),
    expect.objectContaining({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    expect.objectContaining({
      choices: [],
      usage: {
        prompt_tokens: 1200,
        prompt_tokens_details: { cached_tokens: 200 },
        completion_tokens: 34,
        total_tokens: 1234,
      },
    }),
  ]);
});

test('each tool call has its own place, and its arguments follow its name', async () => {
  model.script(stream(useTool('bash', { command: 'ls' }, 'a'), useTool('read', { filePath: '/x' }, 'b')));
  const chunks = await chunksOf(await ask());
  const call = (fields: object) => delta({ tool_calls: [fields] });
  expect(chunks.slice(1, 5)).toEqual([
    call({ index: 0, id: 'a', type: 'function', function: { name: 'bash', arguments: '' } }),
    call({ index: 0, function: { arguments: '{"command":"ls"}' } }),
    call({ index: 1, id: 'b', type: 'function', function: { name: 'read', arguments: '' } }),
    call({ index: 1, function: { arguments: '{"filePath":"/x"}' } }),
  ]);
  expect(chunks[5]).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
});

test('a failure inside the stream is the end of it, garbage stands as it is, a refusal has its status', async () => {
  model.script(stream(garbage('data: {{{\n\n'), fail('rate_limit', 'slow down')), refuse(429, { error: {} }));
  const text = await (await ask()).text();
  expect(text).toContain('data: {{{\n\n');
  expect(text).toContain('{"error":{"message":"slow down","type":"rate_limit","code":"rate_limit"}}');
  expect(text).not.toContain('finish_reason":"stop');
  expect((await ask()).status).toBe(429);
});

test('stands still at a gate', async () => {
  const gate = createGate();
  model.script(stream(say('before'), waitFor(gate), say('after')));
  const body = (await ask()).body?.pipeThrough(new TextDecoderStream()).getReader();
  await gate.reached;
  let text = '';
  while (!text.includes('before')) text += (await body?.read())?.value ?? '';
  expect(text).not.toContain('after');
  gate.open();
  for (let part = await body?.read(); part?.done === false; part = await body?.read()) text += part.value;
  expect(text).toContain('after');
  expect(text.trimEnd().endsWith('[DONE]')).toBe(true);
});

test('without `stream` it is one body', async () => {
  model.script(stream(think('hm'), say('Good ', 'day'), useTool('bash', {}, 'a')), stream(fail('bad', 'no')));
  expect(await (await ask({ stream: false })).json()).toMatchObject({
    object: 'chat.completion',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { content: 'Good day', reasoning_content: 'hm', tool_calls: [{ id: 'a' }] },
      },
    ],
    usage: { total_tokens: 1234 },
  });
  expect(await (await ask({ stream: false })).json()).toMatchObject({ error: { message: 'no', code: 'bad' } });
});

test('a request is read: texts, images, tools and what they gave back', async () => {
  model.script(stream(say('.')));
  const url = `data:image/png;base64,${Buffer.from('bytes').toString('base64')}`;
  await ask({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'not the operator', tool_calls: [] },
      { role: 'tool', tool_call_id: 'c', content: 'output' },
      {
        role: 'tool',
        tool_call_id: 'd',
        content: [{ type: 'text', text: 'in ' }, null, { type: 'text', text: 'two' }],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url } },
          { type: 'image_url', image_url: { url: 'https://elsewhere' } },
        ],
      },
      7,
    ],
  });
  expect(model.turns[0]?.input).toEqual({
    model: 'm-1',
    instructions: 'Be brief.',
    userTexts: ['first', 'look'],
    images: [{ mime: 'image/png', bytes: Buffer.from('bytes') }],
    toolResults: [
      { callId: 'c', output: 'output' },
      { callId: 'd', output: 'in two' },
    ],
    tools: ['bash'],
  });
});

test('the title of a session is answered beside the script', async () => {
  model.script(stream(say('the turn')));
  const messages = [
    { role: 'system', content: 'You are a title generator. You output ONLY a thread title.' },
    { role: 'user', content: 'Generate a title for this conversation:' },
  ];
  expect(await (await ask({ messages, tools: undefined })).text()).toContain('A loopback session');
  expect(model.turns).toEqual([]);
  expect(model.requests).toHaveLength(1);
  expect(await (await ask({ tools: undefined })).text()).toContain('the turn');
});
