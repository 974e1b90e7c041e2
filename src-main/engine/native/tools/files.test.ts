import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SAMPLES } from '../../images/samples.ts';
import { openFile } from './anchor.ts';
import { resolvePlace } from './confine.ts';
import { editText } from './editText.ts';
import { READ_BYTES, READ_LINE_BYTES } from './limits.ts';
import { LineWindow } from './lineWindow.ts';
import { replaceFile } from './replace.ts';
import { makeYard, toolNamed, type Yard } from './tools.harness.ts';

let yard: Yard;
beforeEach(async () => {
  yard = await makeYard();
});
afterEach(() => yard.remove());

const at = (name: string) => join(yard.cwd, name);

describe('bad input', () => {
  it('is a failed outcome that names the problem and the shape, and repeats no value', async () => {
    const huge = 'SECRET'.repeat(4_000);
    const outcome = await yard.run('edit', { path: 'a', old_string: 7, content: huge, [huge]: 1 });
    expect(outcome.status).toBe('failed');
    expect(outcome.text).toContain('old_string: ');
    expect(outcome.text).toContain('new_string');
    expect(outcome.text).toContain('content (a string of 24000 characters)');
    expect(outcome.text.length).toBeLessThan(3_000);
    expect(outcome.text).not.toContain('SECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRET');
  });

  it('of any kind neither throws nor runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('read', 'write', 'edit', 'glob', 'grep', 'bash', 'view_image'),
        fc.anything(),
        async (name, input) => {
          const tool = toolNamed(name);
          expect(typeof tool.title(input)).toBe('string');
          expect(tool.exclusiveKey(input, yard)).toBeNull();
          expect((await yard.run(name, input)).status).toBe('failed');
        },
      ),
      { numRuns: 100 },
    );
    expect(await readdir(yard.cwd)).toEqual([]);
  });
});

describe('read', () => {
  it('numbers lines, and says where to go on', async () => {
    await writeFile(at('a.txt'), Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n'));
    const first = await yard.run('read', { path: 'a.txt', offset: 10, limit: 2 });
    expect(first.text).toBe('10\tline 10\n11\tline 11\n[More follows. Next offset: 12.]');
    const last = await yard.run('read', { path: 'a.txt', offset: 4_999 });
    expect(last.text).toBe('4999\tline 4999\n5000\tline 5000\n[End of file: 5,000 lines.]');
    expect((await yard.run('read', { path: 'a.txt' })).text).toContain('Next offset: 2001');
    expect(await yard.run('read', { path: 'a.txt', offset: 5_001 })).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('5,000 lines'),
    });
    await writeFile(at('empty'), '');
    expect((await yard.run('read', { path: 'empty' })).text).toContain('is empty');
    expect((await yard.run('read', { path: 'none' })).text).toBe('There is no “none”.');
  });

  it('names the byte limit, and pages through all of a file', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${index} ${'ü'.repeat(1_000)}`);
    await writeFile(at('a.txt'), `${lines.join('\r\n')}\r\n`);
    const seen: string[] = [];
    for (let offset: number | null = 1; offset !== null; ) {
      const { text } = await yard.run('read', { path: 'a.txt', offset });
      expect(Buffer.byteLength(text)).toBeLessThan(READ_BYTES + 8 * 1024);
      seen.push(
        ...text
          .split('\n')
          .filter((line) => !line.startsWith('['))
          .map((line) => line.slice(line.indexOf('\t') + 1)),
      );
      const next = /limit of \d+ bytes reached\)\. Next offset: (\d+)/.exec(text)?.[1];
      offset = next === undefined ? null : Number(next);
    }
    expect(seen).toEqual(lines);
  });

  it('clips what is too long for a line, at a whole character, and says so', async () => {
    await writeFile(at('a.txt'), `a${'ü'.repeat(READ_LINE_BYTES)}\nshort\n`);
    const { text } = await yard.run('read', { path: 'a.txt' });
    expect(text).toContain(`${'ü'.repeat(READ_LINE_BYTES / 2 - 1)} […]\n2\tshort`);
    expect(text).not.toContain('�');
    expect(text).toContain('Of 1 line only the first');
  });

  it('tells text from binary, and what is not UTF-8', async () => {
    await writeFile(at('nul'), Buffer.from('a\0b'));
    await writeFile(at('late-nul'), `${'x\n'.repeat(10_000)}a\0b`);
    await writeFile(at('latin'), Buffer.from('na\xefve\n', 'latin1'));
    await writeFile(at('utf16'), Buffer.from('\ufeffhello', 'utf16le'));
    await writeFile(at('bom'), '\ufeffhello\n');
    expect((await yard.run('read', { path: 'nul' })).text).toContain('binary');
    expect((await yard.run('read', { path: 'late-nul', offset: 10_000 })).text).toContain('binary');
    expect((await yard.run('read', { path: 'utf16' })).text).toContain('UTF-16');
    expect((await yard.run('read', { path: 'latin' })).text).toContain(
      '1\tna�ve\n[End of file: 1 line.]\n[Not all of it is UTF-8',
    );
    expect((await yard.run('read', { path: 'bom' })).text).toBe('1\thello\n[End of file: 1 line.]');
  });

  it('takes the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'ü', '\r', '\n', '😀', 'x'.repeat(50)), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        (parts, firstLine, step) => {
          const text = parts.join('');
          const bytes = Buffer.from(text);
          const window = new LineWindow({ firstLine, maxLines: 3, maxBytes: 1_000 });
          for (let from = 0; from < bytes.length; from += step) window.push(bytes.subarray(from, from + step));
          window.end();
          const all = text.split('\n');
          if (all.at(-1) === '') all.pop();
          const wanted = all.slice(firstLine - 1, firstLine + 2).map((line) => line.replace(/\r$/, ''));
          expect(window.lines).toEqual(wanted);
          expect(window.hasMore).toBe(all.length > firstLine + 2);
        },
      ),
    );
  });
});

describe('write', () => {
  it('makes directories and empty files, and replaces whole files', async () => {
    expect((await yard.run('write', { path: 'a/b/c.txt', content: '' })).text).toBe('Made “a/b/c.txt” (0 bytes).');
    expect(await readFile(at('a/b/c.txt'), 'utf8')).toBe('');
    expect((await yard.run('write', { path: 'a/b/c.txt', content: 'né' })).text).toBe(
      'Replaced “a/b/c.txt” (3 bytes).',
    );
    expect(await readFile(at('a/b/c.txt'), 'utf8')).toBe('né');
    expect(await readdir(at('a/b'))).toEqual(['c.txt']);
    expect(await yard.run('write', { path: 'a/b', content: 'x' })).toMatchObject({ status: 'failed' });
    expect(await yard.run('write', { path: 'a/b/c.txt/d', content: 'x' })).toMatchObject({ status: 'failed' });
  });

  it('keeps the mode, and the other names of a file as they were', async () => {
    await writeFile(at('run.sh'), 'old');
    await chmod(at('run.sh'), 0o750);
    await link(at('run.sh'), join(yard.outside, 'other-name'));
    await yard.run('write', { path: 'run.sh', content: 'new' });
    expect((await stat(at('run.sh'))).mode & 0o7777).toBe(0o750);
    expect(await readFile(join(yard.outside, 'other-name'), 'utf8')).toBe('old');
  });

  it('has no effect once the signal has fired, and leaves nothing behind', async () => {
    const cancel = new AbortController();
    const context = yard.context({ signal: cancel.signal });
    await writeFile(at('a'), 'old');
    const place = await resolvePlace('a', context);
    const late = replaceFile({ place, bytes: Buffer.alloc(4 * 1024 * 1024, 'x'), signal: cancel.signal, readAs: null });
    cancel.abort();
    await expect(late).rejects.toThrow('Interrupted');
    expect(await yard.run('write', { path: 'new/b', content: 'x' }, { signal: cancel.signal })).toMatchObject({
      status: 'interrupted',
    });
    expect(await readFile(at('a'), 'utf8')).toBe('old');
    expect(await readdir(yard.cwd)).toEqual(['a']);
  });

  it('does not overwrite what has changed since it was read', async () => {
    await writeFile(at('a'), 'old');
    const place = await resolvePlace('a', yard.context());
    const { handle, stats } = await openFile(place);
    await handle.close();
    await writeFile(at('a'), 'other');
    const signal = new AbortController().signal;
    await expect(replaceFile({ place, bytes: Buffer.from('x'), signal, readAs: stats })).rejects.toThrow(
      'changed by something else',
    );
    expect(await readFile(at('a'), 'utf8')).toBe('other');
  });
});

describe('edit', () => {
  it('replaces one exact text, and says when there is none or more than one', async () => {
    await writeFile(at('a'), 'one\ntwo\none $& three\n');
    const run = (old_string: string, new_string: string, more = {}) =>
      yard.run('edit', { path: 'a', old_string, new_string, ...more });
    expect(await run('one', 'x')).toMatchObject({ status: 'failed', text: expect.stringContaining('lines 1, 3') });
    expect(await run('One', 'x')).toMatchObject({ status: 'failed', text: expect.stringContaining('does not occur') });
    expect(await run('one', 'one')).toMatchObject({ status: 'failed', text: expect.stringContaining('same') });
    expect(await run('two\n', '$&$1')).toMatchObject({ status: 'ok' });
    expect(await readFile(at('a'), 'utf8')).toBe('one\n$&$1one $& three\n');
    expect((await run('one', '', { replace_all: true })).text).toContain('2 occurrences');
    expect(await readFile(at('a'), 'utf8')).toBe('\n$&$1 $& three\n');
  });

  it('keeps CR LF and a byte order mark', async () => {
    await writeFile(at('a'), '\ufeffone\r\ntwo\r\nthree\r\n');
    await yard.run('edit', { path: 'a', old_string: 'one\ntwo', new_string: 'eins\nzwei\ndrei' });
    expect(await readFile(at('a'), 'utf8')).toBe('\ufeffeins\r\nzwei\r\ndrei\r\nthree\r\n');
    await yard.run('edit', { path: 'a', old_string: 'three', new_string: 'a\nb' });
    expect(await readFile(at('a'), 'utf8')).toBe('\ufeffeins\r\nzwei\r\ndrei\r\na\r\nb\r\n');
  });

  it('leaves files alone that are not UTF-8', async () => {
    const bytes = Buffer.from('na\xefve', 'latin1');
    await writeFile(at('a'), bytes);
    expect((await yard.run('edit', { path: 'a', old_string: 'na', new_string: 'x' })).text).toContain('not UTF-8');
    expect(await readFile(at('a'))).toEqual(bytes);
  });

  it('does what splitting and joining does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$'), maxLength: 12 });
    fc.assert(
      fc.property(word, word, word, (text, oldText, newText) => {
        fc.pre(oldText !== '' && oldText !== newText);
        const result = editText(text, { oldText, newText, replaceAll: true });
        if (!text.includes(oldText)) expect(result.kind).toBe('not-found');
        else expect(result).toMatchObject({ kind: 'done', text: text.split(oldText).join(newText) });
        const once = editText(text, { oldText, newText, replaceAll: false });
        const isUnique = text.includes(oldText) && text.indexOf(oldText) === text.lastIndexOf(oldText);
        expect(once.kind === 'done').toBe(isUnique);
      }),
    );
  });

  it('calls on one file have one key, on others another', () => {
    const edit = toolNamed('edit');
    const write = toolNamed('write');
    const one = edit.exclusiveKey({ path: './a', old_string: 'x', new_string: 'y' }, yard);
    expect(one).toBe(write.exclusiveKey({ path: 'b/../a', content: '' }, yard));
    expect(one).not.toBe(write.exclusiveKey({ path: 'b', content: '' }, yard));
    expect(toolNamed('read').exclusiveKey({ path: 'a' }, yard)).toBeNull();
  });
});

describe('view_image', () => {
  it('attaches a durable copy of an image, by what its bytes are', async () => {
    await mkdir(at('img'));
    await writeFile(at('img/shot.txt'), SAMPLES.lossyWebp.bytes);
    const outcome = await yard.run('view_image', { path: 'img/shot.txt' }, { callId: '../../etc/x' });
    const [attachment] = outcome.attachments;
    expect(attachment).toMatchObject({ kind: 'image', mime: 'image/webp', width: 6, height: 5, name: 'shot.txt' });
    expect(attachment?.path.startsWith(yard.kept)).toBe(true);
    await writeFile(at('img/shot.txt'), 'changed');
    expect(new Uint8Array(await readFile(attachment?.path ?? ''))).toEqual(SAMPLES.lossyWebp.bytes);
  });

  it('refuses what is no whole image', async () => {
    await writeFile(at('a.png'), 'text');
    await writeFile(at('b.png'), SAMPLES.png.bytes.subarray(0, 60));
    await symlink(at('a.png'), at('c.png'));
    for (const path of ['a.png', 'b.png', 'c.png', 'none.png']) {
      expect(await yard.run('view_image', { path })).toMatchObject({ status: 'failed', attachments: [] });
    }
    expect(await readdir(yard.kept)).toEqual([]);
  });
});
