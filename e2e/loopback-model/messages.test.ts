import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

let model: LoopbackModel;
beforeEach(async () => {
  model = await startLoopbackModel();
});
afterEach(() => model.close());

function ask(body: object = {}): Promise<Response> {
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, messages: [], ...body }),
  });
}

/** The `data:` of every event; each is named as its type. */
async function eventsOf(response: Response): Promise<{ type: string; [field: string]: unknown }[]> {
  const parts = (await response.text()).split('\n\n').filter((part) => part !== '');
  return parts.map((part) => {
    const match = /^event: (\S+)\ndata: (.*)$/.exec(part);
    const event = JSON.parse(match?.[2] ?? '');
    expect(event.type).toBe(match?.[1]);
    return event;
  });
}

describe('a streamed reply', () => {
  test('is one block after the other, each in its pieces, and ends with the tokens', async () => {
    model.script(stream(think('hm'), say('Good ', 'day')));
    const events = await eventsOf(await ask());
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ]);
    expect(events[0]).toMatchObject({ message: { role: 'assistant', model: 'm', content: [], stop_reason: null } });
    expect(events[2]).toMatchObject({ index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } });
    expect(events.slice(6, 8)).toMatchObject([{ index: 1, delta: { text: 'Good ' } }, { delta: { text: 'day' } }]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 1000, cache_read_input_tokens: 200, output_tokens: 34 },
    });
  });

  test('two replies are two messages', async () => {
    model.otherwise(stream(say('a')));
    const ids = new Set<string>();
    for (let turn = 0; turn < 2; turn++) ids.add(JSON.stringify((await eventsOf(await ask()))[0]));
    expect(ids.size).toBe(2);
  });

  test('asks for tools by name, with the arguments as they grow', async () => {
    model.script(stream(useTool('Bash', { command: 'ls' }, 'a'), useTool('Read', { file_path: '/x' }, 'b')));
    const events = await eventsOf(await ask());
    expect(events.filter(({ type }) => type === 'content_block_start')).toMatchObject([
      { index: 0, content_block: { type: 'tool_use', id: 'a', name: 'Bash', input: {} } },
      { index: 1, content_block: { type: 'tool_use', id: 'b', name: 'Read', input: {} } },
    ]);
    expect(events[2]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: '{"command":"ls"}' } });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  test('a failure is the end of it', async () => {
    model.script(stream(say('Half'), fail('overloaded_error', 'Overloaded')));
    const events = await eventsOf(await ask());
    expect(events.at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  });

  test('stands still at a gate, and breaks off where it is dropped', async () => {
    const gate = createGate();
    model.script(stream(say('before'), waitFor(gate), drop(), say('never')));
    const response = await ask();
    const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await gate.reached;
    let text = '';
    while (!text.includes('content_block_stop')) text += (await body?.read())?.value ?? '';
    expect(text).toContain('before');
    gate.open();
    const rest = async () => {
      for (let part = await body?.read(); part?.done === false; part = await body?.read()) text += part.value;
    };
    await expect(rest()).rejects.toThrow();
    expect(text).not.toContain('never');
  });

  test('garbage stands as it is between the events', async () => {
    model.script(stream(garbage('data: {{{\n\n'), say('and on')));
    expect(await (await ask()).text()).toMatch(/message_start.*data: \{\{\{\n\n.*and on/s);
  });
});

test('without `stream` a reply is one message, and a failure one error', async () => {
  model.script(stream(think('hm'), say('a', 'b'), useTool('Bash', {}, 'c')), stream(fail('api_error', 'no')));
  expect(await (await ask({ stream: false })).json()).toMatchObject({
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'ab' },
      { type: 'tool_use', id: 'c' },
    ],
    stop_reason: 'tool_use',
    usage: { output_tokens: 34 },
  });
  expect(await (await ask({ stream: undefined })).json()).toEqual({
    type: 'error',
    error: { type: 'api_error', message: 'no' },
  });
});

test('a refusal has its status and its body', async () => {
  model.script(refuse(429, { type: 'error', error: { type: 'rate_limit_error' } }, { 'retry-after': '7' }));
  const response = await ask();
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await response.json()).toEqual({ type: 'error', error: { type: 'rate_limit_error' } });
});

test('what a request says to the model: texts, images wherever they stand, tools and their results', async () => {
  const image = (text: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: Buffer.from(text).toString('base64') },
  });
  await ask({
    model: 'm-1',
    system: [
      { type: 'text', text: 'Be' },
      { type: 'text', text: 'brief.' },
    ],
    tools: [{ name: 'Bash' }, { type: 'web_search', name: 'WebSearch' }, 7],
    messages: [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ type: 'text', text: 'not the operator' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'out' },
          { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'seen' }, image('one')] },
          { type: 'text', text: 'and' },
          image('two'),
          { type: 'image', source: { type: 'url', url: 'https://elsewhere' } },
        ],
      },
      null,
    ],
  });
  expect(model.turns[0]?.input).toEqual({
    model: 'm-1',
    instructions: 'Be\nbrief.',
    userTexts: ['look', 'and'],
    images: ['one', 'two'].map((text) => ({ mime: 'image/png', bytes: Buffer.from(text) })),
    toolResults: [
      { callId: 'a', output: 'out' },
      { callId: 'b', output: 'seen' },
    ],
    tools: ['Bash', 'WebSearch'],
  });
  expect(model.turns).toHaveLength(1);
  expect((await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' })).status).toBe(404);
});
