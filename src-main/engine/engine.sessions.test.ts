import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Seat, Turn } from '../../src-shared/conversations.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { MORE_TIME_MS } from '../../src-shared/limits.ts';
import {
  answer,
  codex,
  conversation,
  cwd,
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
  seen,
  send,
  thread,
  trial,
} from './engine.harness.ts';

const SESSION = '01999999-aaaa-7bbb-8ccc-0123456789ab';

async function seatOf(conversationId: ConversationId): Promise<Seat> {
  const { seats } = await ok('openConversation', { conversationId });
  const [seat] = seats;
  if (seat === undefined) throw new Error('no seat');
  return seat;
}

async function promptOf(turn: Turn): Promise<string> {
  const stem = turn.invocations[0]?.started?.stem;
  return readFile(join(home, 'data', 'artifacts', turn.run, `${stem}.prompt.md`), 'utf8');
}

async function turnOf(conversationId: ConversationId, id: Turn['id']): Promise<Turn> {
  const { turns } = await ok('openConversation', { conversationId });
  const turn = turns.find((candidate) => candidate.id === id);
  if (turn === undefined) throw new Error('no turn');
  return turn;
}

describe('the receipt of a session', () => {
  it('says first, then resumed, with what the turn before it ran with', async () => {
    await codex(answer('one'));
    const id = await conversation();
    const first = await ended(id, await send(id, 'hello'));
    expect(first.invocation.started).toMatchObject({ freshBecause: 'first-turn', previous: null, resuming: null });
    const { id: seatId } = await seatOf(id);
    await ok('updateSeat', { seatId, access: 'can-write' });
    const second = await ended(id, await send(id, 'again'));
    expect(second.invocation.session).toEqual({ sessionId: SESSION, how: 'resumed' });
    expect(second.invocation.started).toMatchObject({
      freshBecause: null,
      resuming: SESSION,
      access: 'can-write',
      previous: { agent: 'codex', access: 'read-only', model: null, sessionId: SESSION },
    });
  });

  it('of another model is fresh, and says why', async () => {
    await codex(answer('one'));
    const id = await conversation();
    await ended(id, await send(id, 'hello'));
    const { id: seatId } = await seatOf(id);
    const { seat } = await ok('updateSeat', { seatId, model: 'gpt-next' });
    expect(seat).toMatchObject({ sessionId: null, freshBecause: 'model-changed', replayNext: false });
    const { invocation } = await ended(id, await send(id, 'again'));
    expect(invocation.started).toMatchObject({ resuming: null, freshBecause: 'model-changed' });
    expect(invocation.session?.how).toBe('fresh');
    expect(await seatOf(id)).toMatchObject({ sessionId: SESSION, freshBecause: null });
  });

  it('of another agent is fresh, and the seat is called after it', async () => {
    await codex(answer('one'));
    const id = await conversation();
    await ended(id, await send(id, 'hello'));
    const { id: seatId } = await seatOf(id);
    const { seat } = await ok('updateSeat', { seatId, agent: 'guide' });
    expect(seat).toMatchObject({ agent: 'guide', name: 'Guide', freshBecause: 'agent-changed', model: null });
    // What ran before keeps what it ran with.
    const { turns } = await ok('openConversation', { conversationId: id });
    expect(turns[0]?.invocations[0]?.started?.agent).toBe('codex');
  });

  it('does not change hands while the seat works', async () => {
    await codex(`${thread}\n${message('begun')}\nsleep 600`);
    const id = await conversation();
    await send(id, 'work');
    await saw('begun');
    const { id: seatId } = await seatOf(id);
    expect(await failure('updateSeat', { seatId, agent: 'guide' })).toMatchObject({ code: 'busy' });
    await ok('stopTurn', { conversationId: id });
  });
});

describe('a fresh session that is told the transcript', () => {
  it('gets what was said before, and the newest message once', async () => {
    await codex(answer('the first answer'));
    const id = await conversation();
    const { attachment } = await ok('addAttachment', {
      conversationId: id,
      name: 'a.png',
      declaredType: '',
      bytes: png(),
    });
    await ended(id, await send(id, 'the first message', [attachment.id]));
    await codex(`echo 'Error: no rollout found for thread id ${SESSION}' >&2; exit 1`);
    const refused = await ended(id, await send(id, 'the newest message'));
    expect(refused.outcome).toMatchObject({ cause: { kind: 'session-rejected', sessionId: SESSION } });
    // Nothing is done about it before the operator says so.
    expect((await seatOf(id)).sessionId).toBe(SESSION);

    await codex(answer('the second answer'));
    await ok('startFreshSession', { seatId: (await seatOf(id)).id, replay: true });
    const { turn } = await ok('sendAgain', { turnId: refused.turn.id });
    const again = await ended(id, turn);
    expect(again.invocation.session).toEqual({ sessionId: SESSION, how: 'replayed' });
    expect(again.invocation.started).toMatchObject({ freshBecause: 'asked', replay: { turns: 1, omittedTurns: 0 } });
    const prompt = await promptOf(again.turn);
    expect(prompt).toContain('the first message');
    expect(prompt).toContain(attachment.path);
    expect(prompt).toContain('Codex:\nthe first answer');
    expect(prompt.split('the newest message')).toHaveLength(2);
    expect(await seatOf(id)).toMatchObject({ sessionId: SESSION, replayNext: false });

    const next = await ended(id, await send(id, 'and on'));
    expect(next.invocation.started?.replay).toBeNull();
    expect(await promptOf(next.turn)).toBe('and on');
  });

  it('is sent again to the seat that failed alone, and hears what the others answered', async () => {
    const talk = await ok('createConversation', {
      cwd,
      kind: 'talk',
      seats: [{ agent: 'codex' }, { agent: 'codex' }],
    });
    const id = talk.conversation.id;
    const second = talk.seats[1]?.id;
    if (second === undefined) throw new Error('no second seat');
    await codex(`if [ "$MAGI_SEAT" = ${second} ]; then exit 1; fi\n${answer('the other one’s answer')}`);
    const { turn: failed } = await ended(id, await send(id, 'the question'));
    await codex(answer('now'));
    await ok('startFreshSession', { seatId: second, replay: true });
    const { turn } = await ok('sendAgain', { turnId: failed.id, seatIds: [second] });
    const again = await ended(id, turn);
    expect(again.turn.invocations).toHaveLength(1);
    const prompt = await promptOf(again.turn);
    expect(prompt.split('the question')).toHaveLength(2);
    expect(prompt).toContain('Codex:\nthe other one’s answer');
  });

  it('leaves out what does not fit, the oldest first, and counts it', async () => {
    await codex(answer('x'));
    const id = await conversation();
    for (const letter of ['a', 'b', 'c']) await ended(id, await send(id, letter.repeat(100_000)));
    await ok('startFreshSession', { seatId: (await seatOf(id)).id, replay: true });
    const { invocation, turn } = await ended(id, await send(id, 'now'));
    expect(invocation.started?.replay).toMatchObject({ turns: 2, omittedTurns: 1 });
    const prompt = await promptOf(turn);
    expect(prompt).toContain('1 earlier turns are left out');
    expect(prompt).not.toContain('aaaa');
    expect(prompt).toContain('cccc');
  });

  it('is not told anything unless the operator wants it', async () => {
    await codex(answer('x'));
    const id = await conversation();
    await ended(id, await send(id, 'before'));
    await ok('startFreshSession', { seatId: (await seatOf(id)).id });
    const { turn, invocation } = await ended(id, await send(id, 'now'));
    expect(await promptOf(turn)).toBe('now');
    expect(invocation.session?.how).toBe('fresh');
  });
});

describe('the clocks', () => {
  it('end a turn that shows no sign of life for its idle limit', async () => {
    await codex(`${thread}\n${message('begun')}\nsleep 600`);
    const id = await conversation();
    await ok('updateSeat', { seatId: (await seatOf(id)).id, idleTimeoutMs: 1_000 });
    const { outcome, invocation } = await ended(id, await send(id, 'work'));
    expect(outcome).toMatchObject({ kind: 'timed-out', clock: 'idle', limitMs: 1_000 });
    expect(invocation.started?.idleTimeoutMs).toBe(1_000);
  });

  it('are told to the window, and can be given more time', async () => {
    await codex(`${thread}\n${message('begun')}\nsleep 600`);
    const id = await conversation(20_000);
    await send(id, 'work');
    await saw('begun');
    const { clocks } = await ok('openConversation', { conversationId: id });
    const [clock] = clocks;
    if (clock === undefined) throw new Error('no clock');
    expect(clock.idleEndsAt).toBeGreaterThan(Date.now());
    const more = await ok('giveMoreTime', { invocationId: clock.invocationId });
    expect(more.clock.wallEndsAt).toBe(clock.wallEndsAt + MORE_TIME_MS);
    const told = await seen(
      (event) => event.name === 'clock' && event.payload.clock.wallEndsAt === more.clock.wallEndsAt && event.payload,
    );
    expect(told.conversationId).toBe(id);
    await ok('stopTurn', { conversationId: id });
    expect((await ok('openConversation', { conversationId: id })).clocks).toEqual([]);
    expect(await failure('giveMoreTime', { invocationId: clock.invocationId })).toMatchObject({ code: 'not-running' });
  });
});

describe('a turn that goes out later', () => {
  const limit = line({
    type: 'turn.failed',
    error: { message: 'You’ve hit your usage limit. Try again at Jan 1st, 2099 12:00 AM.' },
  });

  it('waits, goes out at its time after what was said meanwhile, and names the moment it was told', async () => {
    await codex(`${thread}\n${limit}\nexit 1`);
    const id = await conversation();
    const refused = await ended(id, await send(id, 'the work'));
    expect(refused.outcome).toMatchObject({ cause: { kind: 'usage-limit', resumesAt: expect.any(Number) } });
    await codex(answer('done'));
    const { turn } = await ok('continueThen', { turnId: refused.turn.id, at: Date.now() + 1_500 });
    expect(turn).toMatchObject({ state: 'scheduled', text: 'the work' });
    const between = await ended(id, await send(id, 'something else'));
    expect(between.outcome).toEqual({ kind: 'completed' });
    expect((await turnOf(id, turn.id)).state).toBe('scheduled');
    await seen(
      (event) => event.name === 'turn' && event.payload.turn.id === turn.id && event.payload.turn.state === 'ended',
    );
    const { turns } = await ok('openConversation', { conversationId: id });
    expect(turns.map(({ text }) => text)).toEqual(['the work', 'something else', 'the work']);
  });

  it('holds nothing open, and goes out after a restart when its moment has passed', async () => {
    await codex(answer('x'));
    const id = await conversation();
    const { turn: first } = await ended(id, await send(id, 'the work'));
    const { turn } = await ok('continueThen', { turnId: first.id, at: Date.now() + 500 });
    await engine.close();
    engines.length = 0;
    events.length = 0;
    await open();
    const { turn: then } = await seen(
      (event) =>
        event.name === 'turn' &&
        event.payload.turn.id === turn.id &&
        event.payload.turn.state === 'ended' &&
        event.payload,
    );
    expect(then.invocations[0]?.outcome).toEqual({ kind: 'completed' });
  });

  it('can be sent now, changed and removed', async () => {
    await codex(answer('x'));
    const id = await conversation();
    const { turn: first } = await ended(id, await send(id, 'the work'));
    const at = Date.now() + 3_600_000;
    const { turn: one } = await ok('continueThen', { turnId: first.id, at });
    const { turn: two } = await ok('continueThen', { turnId: first.id, at });
    await ok('editQueued', { turnId: one.id, expectedText: 'the work', text: 'other work', attachmentIds: [] });
    await ok('removeQueued', { turnId: two.id });
    const { turn } = await ok('sendScheduledNow', { turnId: one.id });
    expect((await ended(id, turn)).turn).toMatchObject({ state: 'ended', text: 'other work' });
    expect(await failure('sendScheduledNow', { turnId: one.id })).toMatchObject({ code: 'not-waiting' });
  });
});

describe('a trial', () => {
  it('is one real turn in a directory of its own, and stays to be looked at', async () => {
    await codex(answer('ready'));
    const { conversationId, invocation } = await trial({ agent: 'codex' });
    expect(invocation.outcome).toEqual({ kind: 'completed' });
    expect(invocation.started).toMatchObject({ access: 'read-only', cwd: join(home, 'data', 'trials', 'codex') });
    const { conversation: summary } = await ok('openConversation', { conversationId });
    expect(summary.title).toBe('Trial of Codex');
  });

  it('can be stopped like any other turn', async () => {
    await codex(`${thread}\n${message('begun')}\nsleep 600`);
    const { conversationId, turnId } = await ok('startTrial', { agent: 'codex' });
    await saw('begun');
    expect(await ok('stopTurn', { conversationId })).toEqual({ stopped: 1 });
    const { turn } = await ok('awaitTurn', { turnId });
    expect(turn.invocations[0]?.outcome?.kind).toBe('cancelled');
  });

  it('of an agent that is not there says so', async () => {
    const { invocation } = await trial({ agent: 'codex' });
    expect(invocation.outcome).toMatchObject({ kind: 'failed', cause: { kind: 'not-installed' } });
  });
});
