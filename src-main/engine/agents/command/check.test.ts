import { describe, expect, test } from 'vitest';
import type { CommandDraft } from '../../../../src-shared/commandDefinition.ts';
import { checkCommandDefinition, exampleWords } from '../index.ts';
import { draft } from './samples.ts';

const problems = (fields: Partial<CommandDraft>) =>
  checkCommandDefinition(draft(fields)).filter(({ level }) => level === 'problem');
const notes = (fields: Partial<CommandDraft>) =>
  checkCommandDefinition(draft(fields)).filter(({ level }) => level === 'note');
const minted = (template: string): CommandDraft['resume'] => ({ kind: 'by-id', arguments: template, source: 'minted' });
const reported = (template: string): CommandDraft['resume'] => ({
  kind: 'by-id',
  arguments: template,
  source: 'reported',
});

test('a plain description is fine', () => {
  expect(checkCommandDefinition(draft({}))).toEqual([]);
});

describe('refuses', () => {
  test.each<[string, Partial<CommandDraft>, RegExp]>([
    ['name', { name: ' ' }, /Give it a name/],
    ['program', { program: '' }, /Name the program/],
    ['program', { program: 'bin/tool' }, /from the root/],
    ['program', { program: '~/tool' }, /no shell reads the “~”/],
    ['arguments', { arguments: '{nothing}' }, /none of the places/],
    ['arguments', { arguments: '"open' }, /never closed/],
    ['arguments', { prompt: 'argument' }, /\{prompt\} has to say where/],
    ['arguments', { prompt: 'file' }, /\{prompt_file\} has to say where/],
    ['arguments', { arguments: '{prompt}' }, /only where it is handed over as an argument/],
    ['arguments', { arguments: '-i {attachment}', images: false }, /takes no images/],
    ['arguments', { arguments: '--session {session}' }, /no session is continued/],
    ['arguments', { resume: minted('{session}') }, /makes the id of a new session/],
    [
      'arguments',
      { arguments: '{session}', output: 'codex', resume: reported('{session}') },
      /no value in a first turn/,
    ],
    ['resume', { resume: reported('--resume {session}') }, /Plain text reports no session/],
    ['resume.arguments', { arguments: '{session}', resume: minted('--last') }, /has to name it/],
    ['resume.arguments', { arguments: '{session}', resume: minted('{session} {oops}') }, /none of the places/],
    ['environment.0.name', { environment: [{ name: '1A', value: '' }] }, /letters, digits/],
    [
      'environment.1.name',
      {
        environment: [
          { name: 'A', value: '' },
          { name: 'A', value: null },
        ],
      },
      /set twice/,
    ],
    ['timeoutMs', { timeoutMs: 5 }, /between 1 second/],
  ])('%s: %j', (field, fields, sentence) => {
    const found = problems(fields);
    expect(found.map((each) => each.field)).toContain(field);
    expect(found.map((each) => each.sentence).join('\n')).toMatch(sentence);
  });

  test.each([
    ['sh', '-c "cat {prompt_file}"'],
    ['/bin/bash', '-lc "cat {prompt_file}"'],
    ['bash', '-o pipefail -c "cat {prompt_file} | tool"'],
    ['env', 'A=b zsh -c "cd {cwd}; tool"'],
    ['python3', '-c "print(\'{cwd}\')"'],
    ['node', '-e "console.log(`{cwd}`)"'],
    ['cmd.exe', '/c "type {prompt_file}"'],
  ])('%s %s, where the value would be read as code', (program, template) => {
    expect(problems({ program, arguments: template })).toEqual([
      expect.objectContaining({ field: 'arguments', sentence: expect.stringMatching(/read as a program again/) }),
    ]);
  });
});

test.each([
  ['sh', `-c 'cat "$1"' sh {prompt_file}`],
  ['bash', 'script.sh -c {prompt_file}'],
  ['python3', 'script.py -c {cwd}'],
  ['tool', '-c {cwd}'],
])('%s %s hands the value over as a word, and is fine', (program, template) => {
  expect(problems({ program, arguments: template })).toEqual([]);
});

test('what can be saved and may surprise is a note', () => {
  expect(notes({ prompt: 'argument', arguments: '{prompt}' })).toHaveLength(1);
  expect(notes({ prompt: 'argument', arguments: '-- {prompt}' })).toEqual([]);
  expect(notes({ prompt: 'argument', arguments: '-p {prompt}' })).toEqual([]);
  expect(notes({ arguments: '{session} -i {attachment}', resume: minted('{session}') })).toHaveLength(1);
});

test('shows the words as the program will get them', () => {
  const examples = exampleWords(
    draft({
      program: 'tool',
      arguments: 'ask -m {model} -i {attachment} --id={session}',
      resume: minted('ask --resume {session}'),
    }),
  );
  const [bare, full, later] = examples.map(({ words }) => words);
  expect(bare).toEqual(['tool', 'ask', expect.stringMatching(/^--id=/)]);
  expect(full?.slice(0, 8)).toEqual([
    'tool',
    'ask',
    '-m',
    'the-model',
    '-i',
    expect.anything(),
    '-i',
    expect.anything(),
  ]);
  expect(later?.slice(0, 3)).toEqual(['tool', 'ask', '--resume']);
});
