import { request } from 'node:http';
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
import type { Protocol } from './protocol.ts';

let model: LoopbackModel;
beforeEach(async () => {
  model = await startLoopbackModel();
});
afterEach(() => model.close());

function ask(body: unknown = { model: 'm', input: [] }, path = '/v1/responses'): Promise<Response> {
  return fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
}

/** The `data:` of every event, parsed. */
async function eventsOf(response: Response): Promise<{ type: string; [field: string]: unknown }[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ''));
}

describe('the script', () => {
  test('gives each request the next reply, and refuses when it is used up', async () => {
    model.script(stream(say('one')), refuse(503, 'busy'));
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(503);
    const unscripted = await ask();
    expect(unscripted.status).toBe(400);
    expect(await unscripted.text()).toContain('no reply is scripted');
  });

  test('what was said to answer otherwise answers as often as it is asked', async () => {
    model.otherwise(stream(say('again')));
    for (let turn = 0; turn < 3; turn++) expect((await ask()).status).toBe(200);
    model.reset();
    expect(model.turns).toEqual([]);
    expect((await ask()).status).toBe(400);
  });

  test('a reply can be made of the request, so the model can look at what its tool gave back', async () => {
    model.script(stream(useTool('exec', { cmd: 'ls' }, 'call-1')), (request) =>
      stream(say(`The tool said ${request.input?.toolResults[0]?.output}.`)),
    );
    const [, added, done] = await eventsOf(await ask());
    expect(added).toMatchObject({ type: 'response.output_item.added', item: { arguments: '' } });
    expect(done).toMatchObject({ item: { type: 'function_call', call_id: 'call-1', arguments: '{"cmd":"ls"}' } });
    const events = await eventsOf(
      await ask({ input: [{ type: 'function_call_output', call_id: 'call-1', output: 'a.txt' }] }),
    );
    expect(JSON.stringify(events)).toContain('The tool said a.txt.');
  });
});

describe('what is recorded', () => {
  test('method, path, headers, bytes and body of every request, known or not', async () => {
    const response = await fetch(`${model.url}/v1/models?x=1`, { headers: { 'x-own': 'yes' } });
    expect(response.status).toBe(404);
    expect(model.requests).toMatchObject([{ method: 'GET', path: '/v1/models?x=1', body: undefined, input: null }]);
    expect(model.requests[0]?.headers['x-own']).toBe('yes');
    expect(model.turns).toEqual([]);
    await fetch(`${model.url}/v1/responses`, { method: 'POST', body: 'not JSON ä' });
    expect(model.turns[0]?.bytes.toString()).toBe('not JSON ä');
  });

  test('what a request says to the model: texts, images, tools and their results', async () => {
    await ask({
      model: 'm-1',
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'exec' }, { type: 'web_search' }, 7],
      input: [
        { role: 'developer', content: [{ type: 'input_text', text: 'not the operator' }] },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: `data:image/png;base64,${Buffer.from('bytes').toString('base64')}` },
            { type: 'input_image', image_url: 'https://elsewhere' },
          ],
        },
        {
          type: 'function_call_output',
          call_id: 'c',
          output: [
            { type: 'input_text', text: 'out' },
            { type: 'input_text', text: 'put' },
          ],
        },
        null,
      ],
    });
    expect(model.turns[0]?.input).toEqual({
      model: 'm-1',
      instructions: 'Be brief.',
      userTexts: ['look'],
      images: [{ mime: 'image/png', bytes: Buffer.from('bytes') }],
      toolResults: [{ callId: 'c', output: 'output' }],
      tools: ['exec', 'web_search'],
    });
  });

  test('one can wait for a request that has not come yet', async () => {
    const second = model.turn(1);
    model.otherwise(stream());
    await ask({ model: 'first' });
    await ask({ model: 'second' });
    expect((await second).input?.model).toBe('second');
    expect((await model.turn(0)).input?.model).toBe('first');
  });

  test('a prompt of many megabytes arrives whole', async () => {
    const text = 'ä'.repeat(3_000_000);
    await ask({ input: [{ role: 'user', content: [{ type: 'input_text', text }] }] });
    expect(model.turns[0]?.input?.userTexts[0]).toBe(text);
  });
});

describe('a streamed reply', () => {
  test('is a message in its pieces, a thought, and an end with the tokens', async () => {
    model.script(stream(think('hm'), say('Good ', 'day')));
    const events = await eventsOf(await ask());
    const ofType = (type: string) => events.filter((event) => event.type === type);
    expect(events[0]?.type).toBe('response.created');
    expect(ofType('response.reasoning_summary_text.delta')).toMatchObject([{ delta: 'hm' }]);
    expect(ofType('response.output_text.delta').map(({ delta }) => delta)).toEqual(['Good ', 'day']);
    expect(ofType('response.output_item.done').at(-1)).toMatchObject({ item: { content: [{ text: 'Good day' }] } });
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: { input_tokens: 1200 } } });
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  });

  test('stands still at a gate until the test opens it', async () => {
    const gate = createGate();
    model.script(stream(say('before'), waitFor(gate), say('after')));
    const body = (await ask()).body?.pipeThrough(new TextDecoderStream()).getReader();
    await gate.reached;
    let text = '';
    while (!text.includes('output_item.done')) text += (await body?.read())?.value ?? '';
    expect(text).toContain('before');
    expect(text).not.toContain('after');
    gate.open();
    for (let part = await body?.read(); part?.done === false; part = await body?.read()) text += part.value;
    expect(text).toContain('after');
    expect(text).toContain('response.completed');
  });

  test('at a gate ends when the client goes away, and nobody opens it', async () => {
    const gate = createGate();
    model.script(stream(waitFor(gate)));
    const leaving = new AbortController();
    const response = await fetch(`${model.url}/v1/responses`, { method: 'POST', body: '{}', signal: leaving.signal });
    await gate.reached;
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await model.close();
  });

  test('a failure inside the stream is the end of it', async () => {
    model.script(stream(fail('context_length_exceeded', 'too long')));
    const events = await eventsOf(await ask());
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'context_length_exceeded', message: 'too long' } },
    });
  });

  test('garbage stands as it is between the events', async () => {
    model.script(stream(garbage('data: {{{\n\n'), say('and on')));
    const text = await (await ask()).text();
    expect(text).toContain('data: {{{\n\n');
    expect(text.indexOf('{{{')).toBeLessThan(text.indexOf('and on'));
  });

  test('a dropped connection breaks off in the middle', async () => {
    model.script(stream(say('half'), drop(), say('never')));
    const text = await new Promise<string>((resolve, reject) => {
      const client = request(`${model.url}/v1/responses`, { method: 'POST' }, (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          received += piece;
        });
        response.on('error', (error: NodeJS.ErrnoException) => {
          expect(error.code).toBe('ECONNRESET');
          resolve(received);
        });
        response.on('end', () => reject(new Error('the reply came to its regular end')));
      });
      client.on('error', reject);
      client.end('{}');
    });
    expect(text).toContain('half');
    expect(text).not.toContain('never');
  });

  test('without steps is empty, and complete', async () => {
    model.script(stream());
    expect((await eventsOf(await ask())).map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
  });
});

test('a refusal has its status, its headers and its body', async () => {
  model.script(refuse(429, { error: { type: 'usage_limit_reached' } }, { 'retry-after': '7' }));
  const response = await ask();
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(await response.json()).toEqual({ error: { type: 'usage_limit_reached' } });
});

test('closing ends replies that are under way', async () => {
  const gate = createGate();
  model.script(stream(waitFor(gate)));
  const response = await ask();
  await gate.reached;
  await model.close();
  await expect(response.text()).rejects.toThrow();
  await expect(ask()).rejects.toThrow();
});

test('another protocol, unstreamed, fits in beside the first', async () => {
  const plain: Protocol = {
    id: 'plain',
    answers: (method, path) => method === 'POST' && path === '/plain',
    read: (body) => ({
      model: null,
      instructions: '',
      userTexts: [String(body)],
      images: [],
      toolResults: [],
      tools: [],
    }),
    renderer: () => {
      const said: string[] = [];
      return {
        contentType: 'text/plain',
        begin: () => [],
        step: (step) => {
          if (step.kind === 'text') said.push(step.deltas.join(''));
          return [];
        },
        end: (usage) => [`${said.join(' ')} (${usage.outputTokens})`],
      };
    },
  };
  const other = await startLoopbackModel([plain]);
  other.script(stream(say('a'), say('b')));
  const response = await fetch(`${other.url}/plain`, { method: 'POST', body: '"hello"' });
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(await response.text()).toBe('a b (34)');
  expect(other.turns[0]?.input?.userTexts).toEqual(['hello']);
  await other.close();
});
