import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ParleyError } from '../../../src-shared/failure.ts';
import { repairHistory } from './history.ts';
import { openJournal } from './journal.ts';
import type { ChatMessage } from './messages.ts';
import { type Model, type ModelChunk, ModelFailure, type ModelRequest } from './model.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';
import { runTurn } from './turn.ts';
import type { NativeTurnEvent, NativeTurnInput, TurnParts } from './turnTypes.ts';

/** What the model does on its next call: chunks to send, then an error to throw or a wait for its signal. */
type Script = (signal: AbortSignal) => AsyncIterable<ModelChunk>;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-turn-'));
});
afterEach(() => rm(directory, { recursive: true }));

const text = (words: string): ModelChunk => ({ type: 'text', text: words });
const finish = (kind: 'end' | 'tool-calls' | 'max-tokens'): ModelChunk => ({
  type: 'finish',
  stop: { kind },
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: null, cacheWriteTokens: null },
});
const call = (id: string, name: string, truncated = false): ModelChunk => ({
  type: 'call',
  call: { id, name, input: {} },
  truncated,
});
const sends = (...chunks: ModelChunk[]): Script =>
  async function* () {
    yield* chunks;
  };
const breaks = (failure: Error, ...chunks: ModelChunk[]): Script =>
  async function* () {
    yield* chunks;
    throw failure;
  };
const hangs = (...chunks: ModelChunk[]): Script =>
  async function* () {
    yield* chunks;
    await new Promise(() => {});
  };
const says = (words: string) => sends(text(words), finish('end'));

function tool(name: string, run: (context: ToolContext) => Promise<ToolOutcome>): Tool {
  return {
    spec: { name, description: '', inputSchema: { type: 'object' } },
    right: 'run',
    title: () => name,
    exclusiveKey: () => null,
    run: (_input, context) => run(context),
  };
}
const ok = (words: string): ToolOutcome => ({ status: 'ok', text: words, attachments: [] });

interface Setting {
  readonly scripts: Script[];
  readonly tools?: Tool[];
  readonly parts?: Partial<TurnParts>;
  readonly input?: Partial<NativeTurnInput>;
  /** Called for each event as it comes. */
  readonly onEvent?: (event: NativeTurnEvent) => void;
}

async function play({ scripts, tools = [], parts = {}, input = {}, onEvent }: Setting) {
  const requests: ModelRequest[] = [];
  const left = [...scripts];
  const model: Model = {
    id: 'scripted',
    contextWindow: 100_000,
    stream: (request, signal) => {
      requests.push({ ...request, messages: [...request.messages] });
      const next = left.shift();
      if (next === undefined) throw new Error('nothing is scripted');
      return next(signal);
    },
  };
  const whole: TurnParts = {
    model,
    tools,
    maxSteps: 8,
    resilience: { idleMs: 5_000, attempts: 3, backoffMs: 1, maxBackoffMs: 50 },
    countModelCall: () => {},
    approve: async () => ({ kind: 'allowed' }),
    contextOf: () => ({
      cwd: directory,
      readable: [],
      hidden: [],
      allowWrite: true,
      commands: { environment: {}, scratch: directory, cacheDir: null },
      onOutput: () => {},
      onProcess: () => {},
      saveArtifact: async (name) => ({ name, path: name }),
    }),
    ...parts,
  };
  const events: NativeTurnEvent[] = [];
  const given = { promptText: 'Do it.', attachments: [], priorMessages: [], ...input };
  for await (const event of runTurn(whole, given)) {
    events.push(event);
    onEvent?.(event);
  }
  const ends = events.filter((event) => event.type === 'turn-end');
  const [end] = ends;
  if (end === undefined || ends.length > 1 || events.at(-1) !== end) throw new Error('not exactly one end, at the end');
  return { events, end, requests, final: end.finalMessages };
}

const textsOf = (events: readonly NativeTurnEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
/** Nothing would have to be repaired before the next request. */
const isSound = (messages: readonly ChatMessage[]) =>
  repairHistory(messages).messages === messages ||
  JSON.stringify(repairHistory(messages).messages) === JSON.stringify(messages);

describe('a turn', () => {
  test('ends when the model stops, with the text as it came and the usage of every call', async () => {
    const echo = tool('echo', async () => ok('heard'));
    const { events, end, final, requests } = await play({
      scripts: [sends(text('I '), text('call.'), call('c1', 'echo'), finish('tool-calls')), says('Done.')],
      tools: [echo],
    });
    expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'tool-call', 'tool-result', 'text', 'turn-end']);
    expect(end).toMatchObject({
      stop: { kind: 'end' },
      pendingTools: [],
      usage: { inputTokens: 20, outputTokens: 10 },
    });
    expect(final.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', callId: 'c1', status: 'ok', text: 'heard' });
  });

  test('makes exactly as many model calls as its cap allows', async () => {
    const echo = tool('echo', async () => ok('heard'));
    const again = sends(call('c', 'echo'), finish('tool-calls'));
    for (const cap of [0, 1, 2]) {
      let made = 0;
      const countModelCall = () => {
        if (made >= cap) throw new ParleyError('llm-call-limit', 'no more');
        made++;
      };
      const { end, requests } = await play({
        scripts: [again, again, again],
        tools: [echo],
        parts: { countModelCall },
      });
      expect(end.stop.kind).toBe('call-cap');
      expect(requests).toHaveLength(cap);
    }
  });

  test('stops at its step limit, with a history that is sound', async () => {
    const echo = tool('echo', async () => ok('heard'));
    const again = sends(call('c', 'echo'), finish('tool-calls'));
    const { end, final } = await play({ scripts: [again, again], tools: [echo], parts: { maxSteps: 1 } });
    expect(end.stop).toEqual({ kind: 'max-steps', limit: 1 });
    expect(isSound(final)).toBe(true);
  });

  test('that says nothing is no answer', async () => {
    const { end, final } = await play({ scripts: [sends(text(' \n'), finish('end'))] });
    expect(end.stop).toEqual({ kind: 'silent' });
    expect(final).toHaveLength(1);
  });

  test('never runs a call that the token limit cut off, and tells the model', async () => {
    let ran = 0;
    const write = tool('write', async () => {
      ran++;
      return ok('written');
    });
    const { events, requests } = await play({
      scripts: [sends(call('c1', 'write', true), finish('max-tokens')), says('Smaller.')],
      tools: [write],
    });
    expect(ran).toBe(0);
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ outcome: { status: 'failed' } });
    expect(requests).toHaveLength(2);
  });

  test('gives the model the reason of a denial, and an unknown tool is no end', async () => {
    const { requests, events } = await play({
      scripts: [sends(call('c1', 'rm'), call('c2', 'nothing'), finish('tool-calls')), says('I see.')],
      tools: [tool('rm', async () => ok('gone'))],
      parts: { approve: async () => ({ kind: 'denied', reason: 'Not in this directory.' }) },
    });
    const results = requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(results).toMatchObject([
      { callId: 'c1', status: 'denied', text: 'Not in this directory.' },
      { callId: 'c2', status: 'failed' },
    ]);
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(2);
  });
});

describe('resilience', () => {
  const broken = new ModelFailure('network', 'connection reset');

  test('what breaks before anything was shown is asked for again, and shown once', async () => {
    const { events, end, requests } = await play({
      scripts: [breaks(broken), breaks(broken, text('  ')), says('Here.')],
    });
    expect(textsOf(events)).toEqual(['Here.']);
    expect(end.stop).toEqual({ kind: 'end' });
    expect(requests).toHaveLength(3);
  });

  test('a bounded number of times', async () => {
    const { end, requests } = await play({ scripts: [breaks(broken), breaks(broken), breaks(broken), says('late')] });
    expect(end.stop).toEqual({ kind: 'failed', failure: 'network', detail: 'connection reset' });
    expect(requests).toHaveLength(3);
  });

  test('what breaks after something was shown is dropped; the text is kept and marked', async () => {
    const { events, end, final, requests } = await play({ scripts: [breaks(broken, text('Half an ans'))] });
    expect(textsOf(events)).toEqual(['Half an ans']);
    expect(end.stop).toEqual({ kind: 'dropped', detail: 'connection reset' });
    expect(final.at(-1)).toMatchObject({ role: 'assistant', text: 'Half an ans', partial: true });
    expect(requests).toHaveLength(1);
  });

  test('a stream without an end mark is dropped, not finished', async () => {
    const { end } = await play({ scripts: [sends(text('Half'))] });
    expect(end.stop.kind).toBe('dropped');
  });

  test('a silent stream is ended by the watchdog and asked for again', async () => {
    const { end, requests } = await play({
      scripts: [hangs(), says('Here.')],
      parts: { resilience: { idleMs: 50, attempts: 2, backoffMs: 1, maxBackoffMs: 5 } },
    });
    expect(end.stop).toEqual({ kind: 'end' });
    expect(requests).toHaveLength(2);
  });

  test('what would not go better is not asked for again', async () => {
    const { end, requests } = await play({ scripts: [breaks(new ModelFailure('auth', 'bad key'))] });
    expect(end.stop).toEqual({ kind: 'failed', failure: 'auth', detail: 'bad key' });
    expect(requests).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test('in the middle of a stream keeps what was said, marked', async () => {
    const controller = new AbortController();
    const { end, final } = await play({
      scripts: [hangs(text('So far'))],
      input: { cancelToken: controller.signal },
      onEvent: ({ type }) => type === 'text' && controller.abort(),
    });
    expect(end.stop).toEqual({ kind: 'interrupt' });
    expect(final.at(-1)).toMatchObject({ text: 'So far', partial: true });
  });

  test('before the first call, and while it waits to try again', async () => {
    const { end, requests } = await play({ scripts: [], input: { cancelToken: AbortSignal.abort() } });
    expect(end.stop).toEqual({ kind: 'interrupt' });
    expect(requests).toHaveLength(0);
    const controller = new AbortController();
    const backingOff = await play({
      scripts: [
        async function* () {
          setTimeout(() => controller.abort(), 20);
          throw new ModelFailure('rate-limit', 'slow down', 60_000);
        },
      ],
      parts: { resilience: { idleMs: 5_000, attempts: 3, backoffMs: 1, maxBackoffMs: 120_000 } },
      input: { cancelToken: controller.signal },
    });
    expect(backingOff.end.stop).toEqual({ kind: 'interrupt' });
  });

  test('while a question waits for the operator', async () => {
    const controller = new AbortController();
    const { end, final } = await play({
      scripts: [sends(call('c1', 'ask'), finish('tool-calls'))],
      tools: [tool('ask', async () => ok('never'))],
      parts: {
        approve: (_call, _tool, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            controller.abort();
          }),
      },
      input: { cancelToken: controller.signal },
    });
    expect(end.stop).toEqual({ kind: 'interrupt' });
    expect(final.at(-1)).toMatchObject({ role: 'tool', callId: 'c1', status: 'interrupted' });
  });

  test('while tools run keeps what arrives in the grace, and names what does not', async () => {
    const controller = new AbortController();
    const quick = tool('quick', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return ok('just in time');
    });
    const stubborn = tool('stubborn', () => new Promise(() => {}));
    const { end, final, events } = await play({
      scripts: [sends(call('c1', 'quick'), call('c2', 'stubborn'), finish('tool-calls'))],
      tools: [quick, stubborn],
      input: { cancelToken: controller.signal, turnEndGraceMs: 100 },
      onEvent: (event) =>
        event.type === 'tool-call' && event.call.id === 'c2' && setTimeout(() => controller.abort(), 20),
    });
    expect(end).toMatchObject({ stop: { kind: 'interrupt' }, pendingTools: ['c2'] });
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(2);
    expect(final.slice(-2)).toMatchObject([
      { callId: 'c1', status: 'ok', text: 'just in time' },
      { callId: 'c2', status: 'interrupted' },
    ]);
    expect(isSound(final)).toBe(true);
  });
});

describe('persistent mode', () => {
  test('loads, appends and returns nothing; what came before in memory is not looked at', async () => {
    const contextPath = join(directory, 'seat.jsonl');
    const prior: ChatMessage = { role: 'user', text: 'from memory', attachments: [], kind: 'prompt' };
    const first = await play({ scripts: [says('One.')], input: { contextPath, priorMessages: [prior] } });
    expect(first.final).toEqual([]);
    expect(first.requests[0]?.messages).toHaveLength(1);
    const second = await play({ scripts: [says('Two.')], input: { contextPath, promptText: 'And?' } });
    expect(second.requests[0]?.messages.map((message) => ('text' in message ? message.text : ''))).toEqual([
      'Do it.',
      'One.',
      'And?',
    ]);
    expect((await openJournal(contextPath)).messages).toHaveLength(4);
  });

  test('a call that a crash left without a result is told to the model as that', async () => {
    const contextPath = join(directory, 'seat.jsonl');
    const journal = await openJournal(contextPath);
    const asked: ChatMessage = { role: 'user', text: 'go', attachments: [], kind: 'prompt' };
    const begun: ChatMessage = {
      role: 'assistant',
      text: '',
      thinking: null,
      calls: [{ id: 'c1', name: 'bash', input: {} }],
      usage: null,
      partial: false,
    };
    await journal.append([asked, begun]);
    const { requests, events } = await play({ scripts: [says('I look first.')], input: { contextPath } });
    expect(requests[0]?.messages[2]).toMatchObject({ role: 'tool', callId: 'c1', status: 'missing' });
    expect(events[0]).toMatchObject({ type: 'notice' });
  });
});
