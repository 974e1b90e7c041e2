import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SURVEY_DEPTH } from './limits.ts';
import { surveyDirectory } from './survey.ts';

describe('surveyDirectory', () => {
  let root: string;
  const live = new AbortController().signal;
  const nothing: ReadonlySet<string> = new Set();

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parley-survey-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('counts files and lines by language, the largest first', async () => {
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'src', 'a.ts'), 'one\ntwo\nthree');
    await writeFile(join(root, 'src', 'b.ts'), 'one\n');
    await writeFile(join(root, 'c.py'), 'one\ntwo\n');
    await writeFile(join(root, 'empty.py'), '');
    await writeFile(join(root, 'logo.bin'), 'x\ny\n');
    expect(await surveyDirectory(root, nothing, live)).toMatchObject({
      files: 5,
      lines: 6,
      languages: [
        { language: 'TypeScript', files: 2, lines: 4 },
        { language: 'Python', files: 2, lines: 2 },
      ],
      bounded: null,
    });
  });

  it('leaves out what is not the project’s own, and says so', async () => {
    await mkdir(join(root, 'node_modules', 'x'), { recursive: true });
    await writeFile(join(root, 'node_modules', 'x', 'i.js'), 'one\n');
    expect(await surveyDirectory(root, nothing, live)).toMatchObject({ files: 0, lines: 0, skipped: ['node_modules'] });
  });

  it('leaves out what git ignores, where it is ignored', async () => {
    await mkdir(join(root, 'dist'));
    await mkdir(join(root, 'src', 'dist'), { recursive: true });
    await writeFile(join(root, 'dist', 'a.js'), 'one\n');
    await writeFile(join(root, 'src', 'dist', 'b.js'), 'one\n');
    expect(await surveyDirectory(root, new Set(['dist']), live)).toMatchObject({ files: 1, skipped: ['dist'] });
  });

  it('follows no link, so that loops and other places are not walked', async () => {
    await symlink(root, join(root, 'loop'));
    await symlink('/', join(root, 'elsewhere'));
    await symlink(join(root, 'nowhere'), join(root, 'broken.ts'));
    expect(await surveyDirectory(root, nothing, live)).toMatchObject({ files: 0, links: 3, bounded: null });
  });

  it('says where it stopped in a very deep tree', async () => {
    const deep = Array.from({ length: MAX_SURVEY_DEPTH + 2 }, () => 'd');
    await mkdir(join(root, ...deep), { recursive: true });
    await writeFile(join(root, ...deep, 'a.ts'), 'one\n');
    const survey = await surveyDirectory(root, nothing, live);
    expect(survey).toMatchObject({ files: 0, bounded: `I go ${MAX_SURVEY_DEPTH} directories deep` });
  });

  it('counts no lines in a binary file, whatever its name', async () => {
    await writeFile(join(root, 'x.ts'), Buffer.from('a\n\0b\n'));
    expect(await surveyDirectory(root, nothing, live)).toMatchObject({ files: 1, lines: 0 });
  });

  it('ends at once when it is stopped', async () => {
    await writeFile(join(root, 'x.ts'), 'one\n');
    expect(await surveyDirectory(root, nothing, AbortSignal.abort())).toMatchObject({
      files: 0,
      bounded: 'I was stopped',
    });
  });

  it('counts a directory that is not there as unreadable', async () => {
    expect(await surveyDirectory(join(root, 'gone'), nothing, live)).toMatchObject({ files: 0, unreadable: 1 });
  });
});
