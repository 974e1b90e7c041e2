import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, image, prompt, step } from './historySamples.ts';
import { backupPath, openJournal } from './journal.ts';
import { encodeMessages } from './journalLines.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-journal-'));
  path = join(directory, 'contexts', 'seat.jsonl');
});
afterEach(() => rm(directory, { recursive: true }));

const messages = async () => (await openJournal(path)).messages;
const names = async () => (await readdir(join(directory, 'contexts'))).sort();

/** A journal whose file holds `text` and nothing else. */
async function fileWith(bytes: string | Uint8Array) {
  await mkdir(join(directory, 'contexts'), { recursive: true });
  await writeFile(path, bytes);
  return openJournal(path);
}

describe('append', () => {
  test('a missing file is an empty history, and the first message makes it', async () => {
    const journal = await openJournal(path);
    expect(journal).toMatchObject({ messages: [], failure: null });
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await journal.append([]);
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await journal.append([prompt('a', [image('x.png')])]);
    await journal.append(step('call_1', 'output'));
    expect(await messages()).toEqual([prompt('a', [image('x.png')]), ...step('call_1', 'output')]);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('calls that overlap are written one after the other', async () => {
    const journal = await openJournal(path);
    const written = Array.from({ length: 20 }, (_, number) => prompt(`message ${number}`));
    await Promise.all(written.map((message) => journal.append([message])));
    expect(await messages()).toEqual(written);
  });

  test('after a cut at any byte of the last line the next message is whole, and so is all before the cut', async () => {
    const first = prompt('first');
    const last = prompt('ü');
    const bytes = encodeMessages([first, last]);
    for (let cut = encodeMessages([first]).length; cut <= bytes.length; cut += 1) {
      const journal = await fileWith(bytes.subarray(0, cut));
      await journal.append([answer('next')]);
      const isWhole = cut >= bytes.length - 1;
      const again = await openJournal(path);
      expect(again.messages).toEqual([first, ...(isWhole ? [last] : []), answer('next')]);
      const isPiece = !isWhole && cut > encodeMessages([first]).length;
      expect(again.report).toMatchObject({ skipped: isPiece ? 1 : 0, tornTail: 'none' });
    }
  });

  test('a cut behind its back does not make it merge lines either', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a'), prompt('b')]);
    await truncate(path, (await stat(path)).size - 5);
    await journal.append([prompt('c')]);
    expect(await messages()).toEqual([prompt('a'), prompt('c')]);
  });

  test('what cannot be written is said, and does not stop the next one', async () => {
    const journal = await openJournal(path);
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const bad = answer('', [{ id: 'a', name: 'read', input: circle }]);
    await journal.append([prompt('a')]);
    await expect(journal.append([prompt('b'), bad])).rejects.toMatchObject({ code: 'journal-not-written' });
    await journal.append([prompt('c')]);
    expect(await messages()).toEqual([prompt('a'), prompt('c')]);
  });
});

describe('rewrite', () => {
  test('replaces the history, keeps exactly one backup, and leaves no other file', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a'), prompt('b')]);
    const first = await readFile(path);
    await journal.rewrite([prompt('c')]);
    expect(await readFile(backupPath(path))).toEqual(first);
    const second = await readFile(path);
    await journal.rewrite([prompt('d')]);
    expect(await messages()).toEqual([prompt('d')]);
    expect(await readFile(backupPath(path))).toEqual(second);
    expect(await names()).toEqual(['seat.jsonl', 'seat.jsonl.bak']);
  });

  test('goes on being appended to, by the same and by the next one to open it', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await journal.rewrite([prompt('b')]);
    await journal.append([prompt('c')]);
    const next = await openJournal(path);
    await next.append([prompt('d')]);
    await next.rewrite([...next.messages, prompt('d'), prompt('e')]);
    expect(await messages()).toEqual([prompt('b'), prompt('c'), prompt('d'), prompt('e')]);
  });

  test('keeps lines of another kind as they are', async () => {
    const foreign = '{"v":9,"kind":"ünknown"}';
    const journal = await fileWith(
      `${encodeMessages([prompt('a')])}${foreign}\nnot JSON\n${encodeMessages([prompt('b')])}`,
    );
    await journal.rewrite([prompt('c')]);
    const again = await openJournal(path);
    expect(again.messages).toEqual([prompt('c')]);
    expect(again.report).toMatchObject({ unknownKinds: 1, skipped: 0 });
    expect((await readFile(path, 'utf8')).split('\n')).toContain(foreign);
  });

  test('is refused when somebody else wrote to the file', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await appendFile(path, encodeMessages([prompt('theirs')]));
    await expect(journal.rewrite([])).rejects.toMatchObject({ code: 'journal-changed' });
    await journal.append([prompt('b')]);
    await expect(journal.rewrite([])).rejects.toMatchObject({ code: 'journal-changed' });
    expect(await messages()).toEqual([prompt('a'), prompt('theirs'), prompt('b')]);
  });

  test('that fails leaves the file as it was, and the journal in use', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await mkdir(backupPath(path));
    await expect(journal.rewrite([prompt('b')])).rejects.toMatchObject({ code: 'journal-not-written' });
    await journal.append([prompt('c')]);
    expect(await messages()).toEqual([prompt('a'), prompt('c')]);
    await rm(backupPath(path), { recursive: true });
    await journal.rewrite([prompt('d')]);
    expect(await messages()).toEqual([prompt('d')]);
  });
});

describe('undoing a rewrite', () => {
  test('brings back what was, with what was added since, byte for byte', async () => {
    const torn = `${encodeMessages([prompt('a')])}not JSON\n{"torn`;
    const journal = await fileWith(torn);
    expect(await journal.canUndoRewrite()).toBe(false);
    await journal.rewrite([prompt('summary')]);
    await journal.append([prompt('b')]);
    const next = await openJournal(path);
    await next.append([prompt('c')]);
    expect(await next.canUndoRewrite()).toBe(true);
    expect(await next.undoRewrite()).toEqual([prompt('a'), prompt('b'), prompt('c')]);
    expect(await readFile(path, 'utf8')).toBe(`${torn}\n${encodeMessages([prompt('b'), prompt('c')])}`);
    expect(await names()).toEqual(['seat.jsonl']);
    await next.append([prompt('d')]);
    expect(await messages()).toEqual([prompt('a'), prompt('b'), prompt('c'), prompt('d')]);
  });

  test('with nothing added gives the file that was, and cannot be done twice', async () => {
    const journal = await fileWith('{"torn');
    await journal.rewrite([prompt('summary')]);
    expect(await journal.undoRewrite()).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('{"torn');
    await expect(journal.undoRewrite()).rejects.toMatchObject({ code: 'journal-without-backup' });
  });

  test('goes one rewrite back, not two', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await journal.rewrite([prompt('b')]);
    await journal.rewrite([prompt('c')]);
    expect(await journal.undoRewrite()).toEqual([prompt('b')]);
    expect(await journal.canUndoRewrite()).toBe(false);
  });

  test('is refused with a backup that is not the one that was made', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await journal.rewrite([prompt('b')]);
    await appendFile(backupPath(path), ' ');
    expect(await journal.canUndoRewrite()).toBe(false);
    await expect(journal.undoRewrite()).rejects.toMatchObject({ code: 'journal-without-backup' });
    expect(await messages()).toEqual([prompt('b')]);
  });

  test('a crash between the backup and the rewrite leaves nothing to undo and loses nothing', async () => {
    const journal = await openJournal(path);
    await journal.append([prompt('a')]);
    await journal.rewrite([prompt('b')]);
    await writeFile(backupPath(path), await readFile(path));
    await journal.append([prompt('c')]);
    expect(await journal.canUndoRewrite()).toBe(false);
    expect(await messages()).toEqual([prompt('b'), prompt('c')]);
  });
});

describe('a file that cannot be read', () => {
  test('is told, and never rewritten', async () => {
    await mkdir(path, { recursive: true });
    const journal = await openJournal(path);
    expect(journal.messages).toEqual([]);
    expect(journal.failure?.code).toBe('journal-unreadable');
    await rm(path, { recursive: true });
    await writeFile(path, encodeMessages([prompt('was there all the time')]));
    await expect(journal.rewrite([])).rejects.toMatchObject({ code: 'journal-unreadable' });
    await expect(journal.undoRewrite()).rejects.toMatchObject({ code: 'journal-unreadable' });
    expect(await journal.canUndoRewrite()).toBe(false);
    expect(await messages()).toEqual([prompt('was there all the time')]);
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is left alone for want of rights',
    async () => {
      await fileWith(encodeMessages([prompt('a')]));
      await chmod(path, 0);
      const journal = await openJournal(path);
      expect(journal.failure?.code).toBe('journal-unreadable');
      await expect(journal.append([prompt('b')])).rejects.toMatchObject({ code: 'journal-not-written' });
      await expect(journal.rewrite([])).rejects.toMatchObject({ code: 'journal-unreadable' });
      await chmod(path, 0o600);
      expect(await messages()).toEqual([prompt('a')]);
    },
  );
});

describe.skipIf(process.platform === 'win32')('kill -9', () => {
  let program: string;
  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'parley-journal-writer-'));
    await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        outDir: program,
        emptyOutDir: true,
        target: 'node20',
        ssr: join(import.meta.dirname, 'journalWriter.ts'),
        minify: false,
        rolldownOptions: { output: { entryFileNames: 'writer.mjs' } },
      },
      ssr: { noExternal: true },
    });
  });
  afterAll(() => rm(program, { recursive: true }));

  /** Runs the writer until it has said `lines` numbers, kills it, and gives the last number it said. */
  async function killAfter(lines: number, mode: 'append' | 'rewrite', characters: number): Promise<number> {
    const child: ChildProcess = spawn(process.execPath, [join(program, 'writer.mjs'), path, mode, String(characters)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let said = -1;
    let count = 0;
    if (child.stdout === null) throw new Error('no stdout');
    for await (const line of createInterface({ input: child.stdout })) {
      said = Number(line);
      count += 1;
      if (count === lines) child.kill('SIGKILL');
    }
    expect(await ended).toEqual([null, 'SIGKILL']);
    return said;
  }

  /** The numbers of the messages in the file, each of which is whole. */
  async function numbers(): Promise<number[]> {
    return (await messages()).map(({ text }) => {
      // Not with `expect`: it prints what it compares, and these are long.
      if (!/^\d+ x+$/.test(text)) throw new Error(`a message is not whole: ${text.slice(0, 50)}`);
      return Number.parseInt(text, 10);
    });
  }

  const ROUNDS = 6;

  test('while appending loses no message that was said to be written, and merges none', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = await killAfter(1 + (round % 3), 'append', round % 2 === 0 ? 10 : 1_000_000);
      const found = await numbers();
      expect(found).toEqual(found.map((_, index) => index));
      // What was said is there, and at most the one that was being written besides.
      expect([said + 1, said + 2]).toContain(found.length);
    }
  });

  test('while rewriting leaves the old history or the new one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = await killAfter(1 + (round % 3), 'rewrite', round % 2 === 0 ? 10 : 1_000_000);
      const { report } = await openJournal(path);
      expect(report).toEqual({ skipped: 0, repaired: 0, tornTail: 'none', nulBytes: 0, unknownKinds: 0 });
      const found = await numbers();
      expect([[said], [said + 1]]).toContainEqual(found);
    }
  });
});
