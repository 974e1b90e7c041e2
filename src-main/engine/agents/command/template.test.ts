import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillTemplate, PLACEHOLDERS, parseTemplate, placesIn, type TemplateValues, type Word } from './template.ts';

const NOTHING: TemplateValues = {
  prompt_file: '/data/chat.prompt.md',
  cwd: '/work',
  attachments_dir: null,
  attachment: [],
  session: null,
  model: null,
  prompt: null,
};

function words(template: string, values: Partial<TemplateValues> = {}): string[] {
  const parsed = parseTemplate(template);
  expect(parsed.problems).toEqual([]);
  return fillTemplate(parsed.words, { ...NOTHING, ...values });
}

describe('splitting', () => {
  test.each([
    ['', []],
    [' one  two\tthree\nfour ', ['one', 'two', 'three', 'four']],
    [`'one word' "and another" in'sid'e"rs"`, ['one word', 'and another', 'insiders']],
    [`'' "" x`, ['', '', 'x']],
    ['a\\ b \\" \\\\', ['a b', '"', '\\']],
    ['"a\\"b" "\\$x \\`y \\\\z \\n"', ['a"b', '$x `y \\z \\n']],
    [`'no \\escape'`, ['no \\escape']],
    ['one \\\n two th\\\nree', ['one', 'two', 'three']],
    ['$HOME ~ *.md `id` $(id) a|b ; & > # x', ['$HOME', '~', '*.md', '`id`', '$(id)', 'a|b', ';', '&', '>', '#', 'x']],
    [`'{"a": {"b": 1}}' {} {1} '{print $1}'`, ['{"a": {"b": 1}}', '{}', '{1}', '{print $1}']],
    ['\\{cwd} "\\{cwd}"', ['{cwd}', '{cwd}']],
  ])('%j', (template, expected) => {
    expect(words(template)).toEqual(expected);
  });

  test('splits as a POSIX shell does, wherever a shell would do nothing else', () => {
    // Letters, blanks, quotes and backslashes only: what a shell does more does not begin with one of these.
    const piece = fc.constantFrom('a', 'b', ' ', '\t', "'", '"', '\\', 'ü', '-');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const template = pieces.join('');
        const { words: parsed, problems } = parseTemplate(template);
        // An open quote and a backslash at the very end are problems here; shells differ in what they make of them.
        if (problems.length > 0) return;
        const script = `set -- ${template}\nfor word do printf '%s\\0' "$word"; done`;
        const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
        expect(fillTemplate(parsed, NOTHING)).toEqual(printed.split('\0').slice(0, -1));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [`it's`, /single quote/],
    ['say "hello', /double quote/],
    ['end \\', /backslash/],
    ['{nothing}', /\{nothing\} is none of the places/],
    ['"{CWD}"', /\{CWD\} is none/],
    ['$' + '{HOME}', /no shell reads this/],
    [`'{cwd}'`, /single quotes, where nothing is put in/],
    ['a\0b', /NUL/],
  ])('says what is wrong with %j', (template, problem) => {
    expect(parseTemplate(template).problems).toEqual([expect.stringMatching(problem)]);
  });

  test('never throws, and says each thing once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { words: parsed, problems } = parseTemplate(text);
        expect(new Set(problems).size).toBe(problems.length);
        for (const word of fillTemplate(parsed, NOTHING)) expect(typeof word).toBe('string');
      }),
    );
  });
});

describe('putting values in', () => {
  test('inside words, with what stands around them', () => {
    expect(words('-C {cwd} --in={cwd}/{prompt_file} "{cwd} x"')).toEqual([
      '-C',
      '/work',
      '--in=/work//data/chat.prompt.md',
      '/work x',
    ]);
  });

  const two = { attachment: ['/a/one.png', '/a/two, three.png'] };
  test.each([
    ['--image={attachment} end', two, ['--image=/a/one.png', '--image=/a/two, three.png', 'end']],
    ['-i {attachment} end', two, ['-i', '/a/one.png', '-i', '/a/two, three.png', 'end']],
    ['-i {attachment} end', {}, ['end']],
    ['--verbose -- {attachment}', two, ['--verbose', '--', '/a/one.png', '/a/two, three.png']],
    ['--verbose -- {attachment}', {}, ['--verbose', '--']],
    ['-m {model} x', {}, ['x']],
    ['-m {model} x', { model: 'big' }, ['-m', 'big', 'x']],
    ['--model={model} x', {}, ['x']],
    ['-v --model={model} x', {}, ['-v', 'x']],
    ['run {model} x', {}, ['run', 'x']],
    ['--provider=a {model}', {}, ['--provider=a']],
    ['-m a/{model} x', {}, ['x']],
    ['--add-dir {attachments_dir} x', {}, ['x']],
    ['--add-dir {attachments_dir} x', { attachments_dir: '/a' }, ['--add-dir', '/a', 'x']],
    ['-m {model}', { model: '' }, ['-m', '']],
    ['-p {prompt}', { prompt: '' }, ['-p', '']],
  ])('%j with %j', (template, values, expected) => {
    expect(words(template, values)).toEqual(expected);
  });

  const piece = fc.oneof(
    fc.constantFrom(...PLACEHOLDERS).map((placeholder) => ({ kind: 'place', placeholder }) as const),
    fc.string({ minLength: 1, maxLength: 6 }).map((text) => ({ kind: 'text', text }) as const),
  );
  const template: fc.Arbitrary<Word[]> = fc.array(fc.array(piece, { maxLength: 3 }), { maxLength: 6 });
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '--flag',
      '-rf /',
      '{cwd}',
      '{prompt} {attachment}',
      '"; rm -rf ~ #',
      "'",
      '$(id)',
      '`id`',
      'a b\nc',
      '',
    ),
  );
  const values: fc.Arbitrary<TemplateValues> = fc.record({
    prompt_file: hostile,
    cwd: hostile,
    attachments_dir: hostile,
    attachment: fc.array(hostile, { minLength: 1, maxLength: 3 }),
    session: hostile,
    model: hostile,
    prompt: hostile,
  });

  test('whatever the values are, the words are the template’s, each image’s once, and nothing is read again', () => {
    fc.assert(
      fc.property(template, values, values, (parsed, one, other) => {
        const images = one.attachment.length;
        // The same number of images, and every other value another one.
        const compared = { ...other, attachment: one.attachment.map((_, index) => other.attachment[index] ?? '') };
        const filled = fillTemplate(parsed, one);
        expect(fillTemplate(parsed, compared)).toHaveLength(filled.length);
        const repeated = parsed.filter((word) => placesIn([word]).has('attachment')).length;
        const least = parsed.length + repeated * (images - 1);
        // Beyond that only the options before repeated words are there again.
        expect(filled.length).toBeGreaterThanOrEqual(least);
        expect(filled.length).toBeLessThanOrEqual(least + repeated * (images - 1));
        for (const word of parsed) {
          if (placesIn([word]).has('attachment')) continue;
          const literal = word
            .map((each) => (each.kind === 'text' ? each.text : String(one[each.placeholder])))
            .join('');
          expect(filled).toContain(literal);
        }
      }),
    );
  });
});
