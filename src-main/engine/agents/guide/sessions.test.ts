import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_REMEMBERED_TEXT_LENGTH, MAX_REMEMBERED_TURNS } from './limits.ts';
import { newSession, SessionStore, withTurn } from './sessions.ts';

const ID = '8c6f6a14-fd33-483d-87cd-f71e0aea7697';
const turn = (text: string) => ({ at: 1, text, pictures: [] });

describe('a session', () => {
  it('keeps its first turn and the latest ones, and counts all', () => {
    let session = newSession(ID);
    for (let index = 0; index < MAX_REMEMBERED_TURNS + 50; index++) session = withTurn(session, turn(`turn ${index}`));
    expect(session.taken).toBe(MAX_REMEMBERED_TURNS + 50);
    expect(session.turns).toHaveLength(MAX_REMEMBERED_TURNS);
    expect(session.turns[0]?.text).toBe('turn 0');
    expect(session.turns[1]?.text).toBe('turn 51');
    expect(session.turns.at(-1)?.text).toBe(`turn ${MAX_REMEMBERED_TURNS + 49}`);
  });

  it('keeps the beginning of a long message', () => {
    const text = 'x'.repeat(MAX_REMEMBERED_TEXT_LENGTH + 1);
    expect(withTurn(newSession(ID), turn(text)).turns[0]?.text).toHaveLength(MAX_REMEMBERED_TEXT_LENGTH);
  });
});

describe('SessionStore', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-sessions-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('gives back what was saved, and leaves nothing else behind', async () => {
    const store = new SessionStore(join(directory, 'made', 'on', 'demand'));
    const session = withTurn(newSession(ID), turn('hello'));
    await store.save(newSession(ID));
    await store.save(session);
    expect(await store.load(ID)).toEqual(session);
    expect(await readdir(join(directory, 'made', 'on', 'demand'))).toEqual([`${ID}.json`]);
  });

  it('does not know what is absent, damaged, or another session', async () => {
    const store = new SessionStore(directory);
    expect(await store.load(ID)).toBeNull();
    await store.save(newSession(ID));
    await truncate(join(directory, `${ID}.json`), 20);
    expect(await store.load(ID)).toBeNull();
    const other = newSession('11111111-2222-4333-8444-555555555555');
    await writeFile(join(directory, `${ID}.json`), JSON.stringify(other));
    expect(await store.load(ID)).toBeNull();
  });

  it.each(['../secret', '', 'ID', `${ID}/../x`, `${ID}\n`])('does not look for an id like %j', async (id) => {
    await writeFile(join(directory, 'secret.json'), JSON.stringify(newSession(ID)));
    expect(await new SessionStore(join(directory, 'inner')).load(id)).toBeNull();
  });
});
