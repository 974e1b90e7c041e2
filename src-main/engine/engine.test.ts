import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SeatEvent } from '../../src-shared/events.ts';
import { answerOf } from '../../src-shared/fold.ts';
import {
  answer,
  args,
  bin,
  codex,
  conversation,
  cwd,
  done,
  ended,
  engine,
  engines,
  events,
  failure,
  home,
  line,
  message,
  ok,
  open,
  png,
  saw,
  seatEvents,
  send,
  thread,
} from './engine.harness.ts';
import { findTree } from './process/index.ts';

describe('a turn', () => {
  it('emits a gap-free stream from started to one ended, and stores what it amounts to', async () => {
    await codex(`${thread}\ncat > /dev/null\n${message('narration')}\n${message('the answer')}\n${done}`);
    const id = await conversation();
    const { invocation, turn } = await ended(id, await send(id, 'hello'));
    const stream: SeatEvent[] = seatEvents();
    expect(stream.map((event) => event.seq)).toEqual(stream.map((_, index) => index));
    expect(stream[0]?.type).toBe('started');
    expect(stream.filter((event) => event.type === 'ended')).toHaveLength(1);
    expect(stream.at(-1)?.type).toBe('ended');
    expect(invocation.outcome).toEqual({ kind: 'completed' });
    expect(answerOf(invocation)).toBe('the answer');
    expect(invocation.usage).toEqual({ inputTokens: 7, cachedInputTokens: 2, outputTokens: 3, costUsd: null });
    expect(turn.state).toBe('ended');
  });

  it('leaves the prompt, both outputs and the record, byte for byte', async () => {
    const text = `${'x'.repeat(300_000)}\n-c not-a-flag \u00e4\u{1f600}\n`;
    await codex(`wc -c >&2; printf 'not json \\377\\000\\n'; ${answer('done')}`);
    const id = await conversation();
    const { turn } = await ended(id, await send(id, text));
    const { artifacts } = await ok('listArtifacts', { run: turn.run });
    expect(artifacts.map((artifact) => artifact.kind).sort()).toEqual(['meta', 'prompt', 'stderr', 'stdout']);
    const read = async (kind: string) => {
      const artifact = artifacts.find((candidate) => candidate.kind === kind);
      const { bytes } = await ok('readArtifact', { run: turn.run, name: artifact?.name ?? '' });
      return Buffer.from(bytes);
    };
    expect((await read('prompt')).toString('utf8')).toBe(text);
    expect((await read('stderr')).toString('utf8').trim()).toBe(String(Buffer.byteLength(text)));
    expect((await read('stdout')).subarray(0, 12)).toEqual(Buffer.from('not json \xff\0\n', 'latin1'));
    expect(JSON.parse((await read('meta')).toString('utf8'))).toMatchObject({
      schema: 1,
      outcome: { kind: 'completed' },
    });
  });

  it('resumes the thread that the first turn reported, with the same directory and sandbox', async () => {
    await codex(answer('one'));
    const id = await conversation();
    await ended(id, await send(id, 'first'));
    const { invocation } = await ended(id, await send(id, 'second'));
    expect(invocation.session).toEqual({ sessionId: '01999999-aaaa-7bbb-8ccc-0123456789ab', how: 'resumed' });
    const [first = [], second = []] = await args();
    expect(first).not.toContain('resume');
    const at = second.indexOf('resume');
    expect(second[at + 1]).toBe('01999999-aaaa-7bbb-8ccc-0123456789ab');
    for (const option of ['-C', '-s']) {
      expect(second.indexOf(option)).toBeGreaterThan(0);
      expect(second.indexOf(option)).toBeLessThan(at);
      expect(second[second.indexOf(option) + 1]).toBe(first[first.indexOf(option) + 1]);
    }
  });

  it('counts what was reported as finished as evidence, and nothing else', async () => {
    const command = (id: string, fields: object) => ({
      id,
      type: 'command_execution',
      command: `run ${id}`,
      ...fields,
    });
    await codex(
      [
        thread,
        line({
          type: 'item.started',
          item: command('a', { aggregated_output: '', exit_code: null, status: 'in_progress' }),
        }),
        line({
          type: 'item.completed',
          item: command('a', { aggregated_output: 'out', exit_code: 3, status: 'failed' }),
        }),
        line({ type: 'item.completed', item: command('b', { aggregated_output: '', status: 'completed' }) }),
        line({
          type: 'item.started',
          item: command('c', { aggregated_output: '', exit_code: null, status: 'in_progress' }),
        }),
        message('answer'),
        done,
      ].join('\n'),
    );
    const id = await conversation();
    await ended(id, await send(id, 'go'));
    const { rows, total } = await ok('listEvidence', { conversationId: id });
    expect(total).toBe(2);
    expect(rows.map(({ id: item, exitCode, source }) => ({ item, exitCode, source }))).toEqual([
      { item: 'a', exitCode: 3, source: 'codex' },
      { item: 'b', exitCode: null, source: 'codex' },
    ]);
  });

  it('sends live output of a watched invocation without a gap', async () => {
    await codex(
      `${message('begun')}\nwhile [ ! -e '${home}/go' ]; do sleep 0.02; done\nfor i in 1 2 3 4 5; do echo "line $i"; done\n${answer('end')}`,
    );
    const id = await conversation();
    const turn = await send(id, 'go');
    await saw('begun');
    const running = events.flatMap((e) => (e.name === 'seatEvents' ? [e.payload.invocationId] : []))[0];
    if (running === undefined) throw new Error('nothing runs');
    const { sizes, run, stem } = await ok('watchLive', { invocationId: running });
    await writeFile(join(home, 'go'), '');
    await ended(id, turn);
    const whole = Buffer.from((await ok('readArtifact', { run, name: `${stem}.stdout.log` })).bytes);
    const shown = Buffer.from(whole.subarray(0, sizes.stdout));
    const pieces = [shown];
    let at = shown.length;
    for (const event of events) {
      if (event.name !== 'live' || event.payload.stream !== 'stdout') continue;
      const { offset, bytes } = event.payload;
      expect(offset).toBeLessThanOrEqual(at);
      const fresh = bytes.subarray(at - offset);
      pieces.push(Buffer.from(fresh));
      at += fresh.byteLength;
    }
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });
});

describe('stopping', () => {
  it('ends the whole tree and says what was ended', async () => {
    await codex(`${thread}\n${message('working')}\nsetsid sh -c 'sleep 600' & sleep 600`);
    const id = await conversation();
    const turn = await send(id, 'go');
    await saw('working');
    const marker = seatEvents()[0]?.invocationId ?? '';
    const sleeping = async () => (await findTree({ root: null, marker })).filter(({ name }) => name === 'sleep').length;
    await expect.poll(sleeping).toBe(2);
    expect((await ok('stopTurn', { conversationId: id })).stopped).toBe(1);
    const { outcome, invocation } = await ended(id, turn);
    expect(outcome).toMatchObject({ kind: 'cancelled' });
    expect(outcome?.kind === 'cancelled' && outcome.ended.filter((text) => text.startsWith('sleep')).length).toBe(2);
    expect(await findTree({ root: null, marker: invocation.invocationId })).toEqual([]);
    expect(answerOf(invocation)).toBe('working');
  });

  it('ends a turn at its time limit and keeps what was said', async () => {
    await codex(`${thread}\n${message('so far')}\nsleep 600`);
    const id = await conversation(1_000);
    const { outcome, invocation } = await ended(id, await send(id, 'go'));
    expect(outcome).toMatchObject({ kind: 'timed-out', clock: 'wall', limitMs: 1_000 });
    expect(answerOf(invocation)).toBe('so far');
  });
});

describe('a failure', () => {
  const causes: [string, string, object][] = [
    ['exits at once', 'echo "cannot go on" >&2; exit 7', { kind: 'exit', code: 7 }],
    ['prints nothing', 'exit 0', { kind: 'no-answer' }],
    ['prints garbage', 'head -c 3000 /dev/urandom', { kind: 'no-answer' }],
  ];
  it.each(causes)('of an agent that %s has its own cause', async (_what, body, cause) => {
    await codex(body);
    const id = await conversation();
    const { outcome } = await ended(id, await send(id, 'go'));
    expect(outcome).toMatchObject({ kind: 'failed', cause });
  });

  it('shows the end of stderr', async () => {
    await codex('echo "\u001b[31mcannot go on\u001b[0m" >&2; exit 7');
    const id = await conversation();
    const { outcome } = await ended(id, await send(id, 'go'));
    expect(outcome).toMatchObject({ stderrTail: 'cannot go on' });
  });

  it('of a missing agent names the directories that were searched', async () => {
    const id = await conversation();
    const { outcome } = await ended(id, await send(id, 'go'));
    expect(outcome).toMatchObject({ kind: 'failed', cause: { kind: 'not-installed' } });
    expect(JSON.stringify(outcome)).toContain(bin);
  });

  it('of a missing directory or image starts nothing, and the conversation goes on', async () => {
    await codex(answer('fine'));
    const id = await conversation();
    const { attachment } = await ok('addAttachment', {
      conversationId: id,
      name: 'a.png',
      declaredType: '',
      bytes: png(),
    });
    await rm(attachment.path);
    const gone = await ended(id, await send(id, 'look', [attachment.id]));
    expect(gone.outcome).toMatchObject({ kind: 'failed', cause: { kind: 'attachment-unreadable', name: 'a.png' } });
    await rm(cwd, { recursive: true });
    const homeless = await ended(id, await send(id, 'go'));
    expect(homeless.outcome).toMatchObject({ kind: 'failed', cause: { kind: 'cwd-missing', cwd } });
    expect(existsSync(join(home, 'args'))).toBe(false);
    await mkdir(cwd);
    const again = await ok('sendAgain', { turnId: gone.turn.id, without: [attachment.id] });
    expect((await ended(id, again.turn)).outcome).toEqual({ kind: 'completed' });
  });
});

describe('the queue', () => {
  /** Says that it has begun, then waits for a file. */
  const gated = (gate: string) =>
    `${thread}\n${message('begun')}\nwhile [ ! -e '${gate}' ]; do sleep 0.02; done\n${done}`;

  it('sends what was queued by itself, in order, as it was edited, without what was removed', async () => {
    await codex(`cat >> '${home}/prompts'; echo >> '${home}/prompts'
${gated(join(home, 'go'))}`);
    const id = await conversation();
    await send(id, 'one');
    await saw('begun');
    const two = await send(id, 'two');
    const three = await send(id, 'three');
    const four = await send(id, 'four');
    expect([two, three, four].map((turn) => turn.state)).toEqual(['queued', 'queued', 'queued']);
    await ok('editQueued', { turnId: three.id, expectedText: 'three', text: 'THREE', attachmentIds: [] });
    await ok('removeQueued', { turnId: two.id });
    const stale = { turnId: four.id, expectedText: 'not what it says', text: 'x', attachmentIds: [] };
    expect((await failure('editQueued', stale)).code).toBe('not-waiting');
    await writeFile(join(home, 'go'), '');
    await engine.idle(id);
    expect(await readFile(join(home, 'prompts'), 'utf8')).toBe('one\nTHREE\nfour\n');
    expect((await failure('removeQueued', { turnId: four.id })).code).toBe('not-waiting');
  });

  it('is held for the operator when the engine ends, and goes out when it is released', async () => {
    await codex(gated(join(home, 'go')));
    const id = await conversation();
    await send(id, 'one');
    await saw('begun');
    await send(id, 'two');
    await engine.close();
    engines.length = 0;
    await codex(answer('later'));
    await open();
    const { turns } = await ok('openConversation', { conversationId: id });
    expect(turns.map((turn) => turn.state)).toEqual(['ended', 'held']);
    expect(turns[0]?.invocations[0]?.outcome).toMatchObject({ kind: 'cancelled' });
    await ok('releaseHeld', { conversationId: id });
    await engine.idle(id);
    const after = await ok('openConversation', { conversationId: id });
    expect(after.turns[1]?.invocations[0]?.outcome).toEqual({ kind: 'completed' });
  });

  it('waits for a neighbour that works in the same conversation', async () => {
    await codex(gated(join(home, 'go')));
    const id = await conversation();
    await send(id, 'one');
    await saw('begun');
    const neighbour = engine;
    await open();
    const before = await ok('openConversation', { conversationId: id });
    expect(before.turns[0]?.state).toBe('running');
    const two = await send(id, 'two');
    expect((await args()).length).toBe(2);
    await writeFile(join(home, 'go'), '');
    await neighbour.idle(id);
    expect((await ended(id, two)).outcome).toEqual({ kind: 'completed' });
  });
});

describe('drafts and attachments', () => {
  it('keeps text and images until they are sent, and sends exactly what is named', async () => {
    await codex(answer('ok'));
    const id = await conversation();
    const add = async (name: string, shade: number) =>
      (await ok('addAttachment', { conversationId: id, name, declaredType: 'image/png', bytes: png(shade) }))
        .attachment;
    const first = await add('same.png', 1);
    const second = await add('same.png', 2);
    expect(first.path).not.toBe(second.path);
    await ok('saveDraft', { conversationId: id, text: 'look', attachmentIds: [first.id] });
    await engine.close();
    engines.length = 0;
    await open();
    const { draft } = await ok('openConversation', { conversationId: id });
    expect(draft.text).toBe('look');
    expect(draft.attachments.map((attachment) => attachment.id)).toEqual([first.id, second.id]);
    const { turn } = await ended(id, await send(id, 'look', [first.id]));
    expect(turn.attachments.map((attachment) => attachment.id)).toEqual([first.id]);
    const left = await ok('openConversation', { conversationId: id });
    expect(left.draft).toMatchObject({ text: '', attachments: [{ id: second.id }] });
    const delivery = turn.invocations[0]?.started?.deliveries[0];
    expect(delivery).toMatchObject({ sha256: first.sha256, route: 'flag', verified: true });
  });

  it('deletes a removed copy only when no message and no other record needs its bytes', async () => {
    const id = await conversation();
    const add = async () =>
      (await ok('addAttachment', { conversationId: id, name: 'a.png', declaredType: '', bytes: png() })).attachment;
    const [first, second] = [await add(), await add()];
    expect(first.path).toBe(second.path);
    await ok('removeAttachment', { conversationId: id, attachmentId: first.id });
    expect(existsSync(second.path)).toBe(true);
    await ok('removeAttachment', { conversationId: id, attachmentId: second.id });
    expect(existsSync(second.path)).toBe(false);
  });

  it('refuses what is not an image and more images than a message takes, and keeps the rest', async () => {
    const id = await conversation();
    const add = (name: string, bytes: Uint8Array, declaredType = '') => ({
      conversationId: id,
      name,
      declaredType,
      bytes,
    });
    const svg = await failure('addAttachment', add('x.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
    expect(svg).toMatchObject({ code: 'attachment-refused', message: expect.stringContaining('SVG') });
    for (let index = 0; index < 20; index++) await ok('addAttachment', add('a.png', png(index)));
    const full = await failure('addAttachment', add('b.png', png(99)));
    expect(full.message).toContain('20 images');
    expect((await ok('openConversation', { conversationId: id })).draft.attachments).toHaveLength(20);
  });

  it('sends a message that is only an image, and refuses one that is nothing', async () => {
    await codex(answer('seen'));
    const id = await conversation();
    expect((await failure('sendMessage', { conversationId: id, text: ' \n', attachmentIds: [] })).code).toBe(
      'empty-message',
    );
    const { attachment } = await ok('addAttachment', {
      conversationId: id,
      name: 'only.png',
      declaredType: '',
      bytes: png(),
    });
    const { turn } = await ended(id, await send(id, '', [attachment.id]));
    const { artifacts } = await ok('listArtifacts', { run: turn.run });
    const prompt = artifacts.find((artifact) => artifact.kind === 'prompt');
    const { bytes } = await ok('readArtifact', { run: turn.run, name: prompt?.name ?? '' });
    expect(Buffer.from(bytes).toString()).toContain(`${attachment.path} (image/png`);
    expect((await ok('openConversation', { conversationId: id })).conversation.title).toBe('only.png');
  });
});

describe('calls', () => {
  it('answer bad input with an error that names the call', async () => {
    for (const name of [
      'createConversation',
      'openConversation',
      'sendMessage',
      'readArtifact',
      'updateSeat',
    ] as const) {
      for (const input of [undefined, null, 7, [], { nonsense: true }, { conversationId: '../../etc' }]) {
        expect(await failure(name, input)).toMatchObject({ code: 'bad-input', message: expect.stringContaining(name) });
      }
    }
  });

  it('say what is wrong with a directory', async () => {
    const seats = [{ agent: 'codex' }];
    expect((await failure('createConversation', { cwd: 'relative', kind: 'chat', seats })).code).toBe('bad-directory');
    expect((await failure('createConversation', { cwd: '/no/such', kind: 'chat', seats })).code).toBe('bad-directory');
  });

  it('never leave the artifacts directory', async () => {
    await codex(answer('x'));
    const id = await conversation();
    const turn = await send(id, 'go');
    await engine.idle(id);
    for (const name of ['../../parley.db', '..', '.hidden', 'a/b', 'a\\b', 'C:x']) {
      expect((await failure('readArtifact', { run: turn.run, name })).code).toBe('no-artifact');
    }
  });

  it('delete a conversation with its files, but not while it runs', async () => {
    await codex(`${message('begun')}\nsleep 600`);
    const id = await conversation();
    const { attachment } = await ok('addAttachment', {
      conversationId: id,
      name: 'a.png',
      declaredType: '',
      bytes: png(),
    });
    const turn = await send(id, 'go', [attachment.id]);
    await saw('begun');
    expect((await failure('deleteConversation', { conversationId: id })).code).toBe('busy');
    await ok('stopTurn', { conversationId: id });
    await engine.idle(id);
    await ok('deleteConversation', { conversationId: id });
    expect(existsSync(attachment.path)).toBe(false);
    expect((await ok('listArtifacts', { run: turn.run })).artifacts).toEqual([]);
    expect((await ok('listConversations', {})).conversations).toEqual([]);
  });
});
