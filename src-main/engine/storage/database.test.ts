import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataDirectory, openDatabase, writeFileAtomic } from './index.ts';
import { MIGRATIONS } from './migrations.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-storage-'));
});
afterEach(() => rm(directory, { recursive: true }));

const insert = "insert into conversations values (?, 'chat', 't', 0, '/x', 1, 1)";

describe('the database', () => {
  it('keeps what was committed and drops what was rolled back', () => {
    const path = join(directory, 'parley.db');
    const first = openDatabase(path);
    first.transaction(() => first.run(insert, 'kept'));
    expect(() =>
      first.transaction(() => {
        first.run(insert, 'dropped');
        throw new Error('no');
      }),
    ).toThrow('no');
    first.close();
    const second = openDatabase(path);
    expect(second.all('select id from conversations').map((row) => row.id)).toEqual(['kept']);
    second.close();
  });

  it('brings what the first schema held along, and says why a seat without a session has none', () => {
    const path = join(directory, 'parley.db');
    const old = new Libsql(path);
    old.exec(MIGRATIONS[0] ?? '');
    old.exec('pragma user_version = 1');
    old.exec("insert into conversations values ('c', 'talk', 't', 0, '/x', 1, 1)");
    for (const [id, position, session] of [
      ['fresh', 0, 'null'],
      ['known', 1, "'s'"],
    ]) {
      old.exec(
        `insert into seats values ('${id}', 'c', ${position}, 'codex', '${id}', null, 'read-only', 'chat', 1, ${session})`,
      );
    }
    old.close();
    const database = openDatabase(path);
    expect(
      database.all('select id, fresh_because, idle_timeout_ms, replay_next from seats order by position'),
    ).toMatchObject([
      { id: 'fresh', fresh_because: 'asked', idle_timeout_ms: null, replay_next: 0 },
      { id: 'known', fresh_because: null },
    ]);
    database.close();
  });

  it('gives a text with a NUL back whole', () => {
    const database = openDatabase(join(directory, 'parley.db'));
    const text = 'before\0after \u{10FFFF}0 end';
    database.run("insert into conversations values ('c', 'chat', ?, 0, '/x', 1, 1)", text);
    expect(database.get('select title from conversations where title = ?', text)?.title).toBe(text);
    expect(database.all('select title from conversations').map(({ title }) => title)).toEqual([text]);
    database.close();
  });

  it('joins a nested transaction to the outer one', () => {
    const database = openDatabase(join(directory, 'parley.db'));
    expect(() =>
      database.transaction(() => {
        database.transaction(() => database.run(insert, 'inner'));
        throw new Error('outer');
      }),
    ).toThrow('outer');
    expect(database.all('select id from conversations')).toEqual([]);
    database.close();
  });

  it('is shared by two connections that write in turn', () => {
    const path = join(directory, 'parley.db');
    const window = openDatabase(path);
    const headless = openDatabase(path);
    for (let index = 0; index < 20; index++) {
      window.run(insert, `w${index}`);
      headless.run(insert, `h${index}`);
    }
    expect(window.get('select count(*) as n from conversations')?.n).toBe(40);
    window.close();
    headless.close();
  });

  it('refuses a database of a newer Parley and leaves it as it is', () => {
    const path = join(directory, 'parley.db');
    const database = openDatabase(path);
    database.run(`pragma user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    expect(() => openDatabase(path)).toThrow('newer Parley');
  });

  it('names the file that is not a database', async () => {
    const path = join(directory, 'parley.db');
    await writeFile(path, 'this is not a database, and it is long enough to have a header of its own'.repeat(50));
    expect(() => openDatabase(path)).toThrow(path);
  });
});

describe('writeFileAtomic', () => {
  it('replaces the whole file and leaves no temporary neighbour', async () => {
    const path = join(directory, 'a.txt');
    await writeFileAtomic(path, 'long first version');
    await writeFileAtomic(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('second');
  });
});

describe('dataDirectory', () => {
  it('makes a relative PARLEY_HOME absolute', () => {
    expect(dataDirectory({ PARLEY_HOME: 'here' }, 'linux', '/home/o')).toBe(join(process.cwd(), 'here'));
  });
  it('takes the place that the platform has for data', () => {
    expect(dataDirectory({}, 'linux', '/home/o')).toBe('/home/o/.local/share/parley');
    expect(dataDirectory({ XDG_DATA_HOME: '/d' }, 'linux', '/home/o')).toBe('/d/parley');
    expect(dataDirectory({}, 'darwin', '/Users/o')).toBe('/Users/o/Library/Application Support/Parley');
  });
});
