import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/index.ts';
import { parseGlob } from './globPattern.ts';
import { GLOB_MATCHES, GREP_MATCHES } from './limits.ts';
import { makeYard, type Yard } from './tools.harness.ts';

let yard: Yard;
beforeEach(async () => {
  yard = await makeYard();
});
afterEach(() => yard.remove());

async function plant(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(yard.cwd, path.dirname(name)), { recursive: true });
    await writeFile(join(yard.cwd, name), text);
  }
}

const matches = (pattern: string, name: string) => {
  const parsed = parseGlob(pattern);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed.matches(name.split('/'));
};

describe('a glob pattern', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'deep/in/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['**/test/**', 'a/test/b', true],
    ['**/test/**', 'test', true],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{a,b{c,d}}/x', 'bd/x', true],
    ['{a}', '{a}', true],
    ['[a-c]?.m[!d]', 'bz.me', true],
    ['[a-c]?.m[!d]', 'bz.md', false],
    ['[]a]', ']', true],
    ['[a', '[a', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['*', '.hidden', true],
    ['./src/x', 'src/x', true],
    ['?', '😀', true],
  ])('%s and %s: %s', (pattern, name, wanted) => {
    expect(matches(pattern, name)).toBe(wanted);
  });

  it('that makes no sense is told', () => {
    expect(parseGlob('')).toContain('empty');
    expect(parseGlob('/etc/*')).toContain('slash');
    expect(parseGlob('../*')).toContain('..');
    expect(parseGlob('{a,b}'.repeat(8))).toContain('more than 128');
  });

  it('takes no more than its time, however many stars it has', () => {
    const start = performance.now();
    expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false);
    expect(matches(`${'**/a/'.repeat(100)}b`, 'a/'.repeat(2_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('means what it means to Node', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 });
    const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 2, maxLength: 4 });
    const name = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(pattern, name, (patterns, names) => {
        // `**` beside other characters, and what follows a last one, are read in more than one way.
        fc.pre(patterns.every((one) => one === '**' || !one.includes('**')) && patterns.at(-1) !== '**');
        expect(matches(patterns.join('/'), names.join('/'))).toBe(
          path.matchesGlob(names.join('/'), patterns.join('/')),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('glob', () => {
  it('finds files, says what it left out, and enters it when it is named', async () => {
    await plant({
      'b.ts': '',
      'a.ts': '',
      'src/deep/c.ts': '',
      '.github/d.ts': '',
      'node_modules/x/e.ts': '',
      'src/dist/f.ts': '',
    });
    expect((await yard.run('glob', { pattern: '*.ts' })).text).toBe(
      '.github/d.ts\na.ts\nb.ts\nsrc/deep/c.ts\n[4 files.]\n[Not entered: dist, node_modules.]',
    );
    expect((await yard.run('glob', { pattern: 'node_modules/**/*.ts' })).text).toContain('node_modules/x/e.ts');
    expect((await yard.run('glob', { pattern: '*.ts', path: 'node_modules' })).text).toContain('node_modules/x/e.ts');
    expect((await yard.run('glob', { pattern: '*.ts', path: 'src/deep' })).text).toContain('src/deep/c.ts');
    expect((await yard.run('glob', { pattern: '*.rs' })).text).toContain('No file matches.');
    expect(await yard.run('glob', { pattern: '*', path: 'none' })).toMatchObject({
      status: 'failed',
      text: 'There is no “none”.',
    });
    expect(await yard.run('glob', { pattern: '*', path: 'a.ts' })).toMatchObject({ status: 'failed' });
  });

  it('follows no link, and sees nothing hidden', async () => {
    await plant({ 'data/secret.db': '', 'data/attachments/i.png': '', 'a.txt': '' });
    await symlink('.', join(yard.cwd, 'loop'));
    await symlink(yard.outside, join(yard.cwd, 'away'));
    await writeFile(join(yard.outside, 'secret.txt'), '');
    const { text } = await yard.run('glob', { pattern: '**/*' }, { hidden: [join(yard.cwd, 'data')] });
    expect(text).toBe('a.txt\naway\nloop\n[3 files.]');
  });

  it('stops at its limit, and says so', async () => {
    await plant(Object.fromEntries(Array.from({ length: GLOB_MATCHES + 1 }, (_, index) => [`f${index}`, ''])));
    const { text } = await yard.run('glob', { pattern: 'f*' });
    expect(text.split('\n').length).toBe(GLOB_MATCHES + 1);
    expect(text).toContain(`more than ${GLOB_MATCHES} matches`);
  });
});

const searchers = (
  await Promise.all(
    ['rg', 'grep'].map(async (name) => ({ name, lookup: await findExecutable(name, process.env.PATH ?? '') })),
  )
).flatMap(({ name, lookup }) => (lookup.kind === 'found' ? [{ name, program: lookup.path }] : []));

describe.each(searchers)('grep with $name', ({ name, program }) => {
  /** A search path on which only this program is. */
  async function grep(input: object, changes = {}) {
    const bin = join(yard.kept, 'bin');
    await mkdir(bin, { recursive: true });
    await symlink(program, join(bin, name)).catch(() => {});
    const { commands } = yard.context();
    return yard.run('grep', input, {
      commands: { ...commands, environment: { ...commands.environment, PATH: bin } },
      ...changes,
    });
  }

  it('finds lines, in hidden and ignored files too, but not in what is usually left out', async () => {
    await plant({
      'a.ts': 'one\nneedle here\n',
      'sub/b.ts': 'Needle\n',
      '.hidden/c.md': 'needle\n',
      'ignored.log': 'needle\n',
      '.gitignore': '*.log\n',
      'node_modules/x.js': 'needle\n',
      'bin.dat': 'needle\0\n',
    });
    expect((await grep({ pattern: 'needle' })).text).toBe(
      '.hidden/c.md:1:needle\na.ts:2:needle here\nignored.log:1:needle',
    );
    expect((await grep({ pattern: 'needle', case_insensitive: true, glob: '*.ts' })).text).toBe(
      'a.ts:2:needle here\nsub/b.ts:1:Needle',
    );
    expect((await grep({ pattern: '[nN]eedle', glob: '**/*.{ts,md}', files_only: true })).text).toBe(
      '.hidden/c.md\na.ts\nsub/b.ts',
    );
    expect((await grep({ pattern: 'needle', path: 'node_modules' })).text).toBe('node_modules/x.js:1:needle');
    expect((await grep({ pattern: 'needle', path: 'a.ts' })).text).toBe('a.ts:2:needle here');
    expect((await grep({ pattern: 'nothing-of-it' })).text).toContain('Nothing matches');
    expect((await grep({ pattern: '-e' })).status).toBe('ok');
    expect(await grep({ pattern: '(' })).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('could not search'),
    });
    expect(await grep({ pattern: 'x', path: 'none' })).toMatchObject({ status: 'failed', text: 'There is no “none”.' });
  });

  it('follows no link, and tells nothing of what is hidden', async () => {
    await plant({ 'data/db': 'needle\n', 'a.txt': 'needle\n' });
    await writeFile(join(yard.outside, 'b.txt'), 'needle\n');
    await writeFile(join(yard.readable, 'c.txt'), 'needle\n');
    await symlink(yard.outside, join(yard.cwd, 'away'));
    await symlink(join(yard.outside, 'b.txt'), join(yard.cwd, 'link.txt'));
    const hidden = { hidden: [join(yard.cwd, 'data')] };
    expect((await grep({ pattern: 'needle' }, hidden)).text).toBe('a.txt:1:needle');
    expect((await grep({ pattern: 'needle', path: yard.readable }, hidden)).text).toBe(
      `${yard.readable}/c.txt:1:needle`,
    );
  });

  it('stops at its limits, clips long lines, and survives any bytes', async () => {
    await plant({ 'long.txt': `needle${'ü'.repeat(5_000)}\n`, 'many.txt': 'needle\n'.repeat(200_000) });
    await writeFile(join(yard.cwd, 'latin.txt'), Buffer.from('needle na\xefve\n', 'latin1'));
    const { text } = await grep({ pattern: 'needle' });
    const lines = text.split('\n');
    expect(lines.length).toBe(GREP_MATCHES + 1);
    expect(lines.at(-1)).toContain('There is more');
    expect(Buffer.byteLength((await grep({ pattern: 'needle', path: 'long.txt' })).text)).toBeLessThan(600);
  });
});
