import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMentionable, pathInPrompt, textInPrompt } from './promptText.ts';

/** How gemini-cli 0.61 finds mentions and reads their paths. */
const MENTION = /(?<!\\)@((?:(?:"(?:[^"]*)")|(?:\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r])))+)/g;
const mentionsIn = (prompt: string) =>
  [...prompt.matchAll(MENTION)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1'));
const isCommand = (prompt: string) => prompt.startsWith('/') && !prompt.startsWith('//') && !prompt.startsWith('/*');

describe('text', () => {
  test('has no mention and is no command, whatever it is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('@', '\\', '"', '/', '.', ' ', 'a', '\n', '@@', '\\@', '//', '/*'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = textInPrompt(pieces.join(''));
        expect(mentionsIn(text)).toEqual([]);
        expect(isCommand(text)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is changed no more than that needs', () => {
    expect(textInPrompt('Ask @alice, bob@example.com and @"c d".')).toBe(
      'Ask \\@alice, bob\\@example.com and \\@"c d".',
    );
    expect(textInPrompt('/compress')).toBe(' /compress');
    const same = ['// a comment', '/* another */', '--help', '-', 'a @ b', 'see @, or (@)', '\\@alice', 'a/b', '@.'];
    for (const text of same) expect(textInPrompt(text)).toBe(text);
  });
});

describe('paths', () => {
  test('any that can be mentioned is mentioned whole, and ends where it ends', () => {
    const name = fc.string({ minLength: 1, unit: 'binary' });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`;
        fc.pre(isMentionable(path));
        expect(mentionsIn(`- ${pathInPrompt(path)} (image/png)`)).toEqual([path]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a name with spaces and signs', () => {
    expect(pathInPrompt('/data/My pictures (2)/a.png')).toBe('@/data/My\\ pictures\\ \\(2\\)/a.png');
    expect(pathInPrompt('/home/jörg/a.png')).toBe('@/home/jörg/a.png');
    expect(pathInPrompt('/data/end.')).toBe('@/data/end\\.');
  });

  test('what cannot be mentioned is text', () => {
    for (const path of ['/a[1]/x.png', '/a{b}/x.png', '/a"b/x.png', '/a\\b/x.png', '/a,b/x.png', '/a\nb/x.png']) {
      expect(pathInPrompt(path)).toBe(path);
    }
    expect(pathInPrompt('/me@home/a,b.png')).toBe('/me\\@home/a,b.png');
  });

  test('on Windows backslashes are no escapes', () => {
    expect(pathInPrompt('C:\\data\\a.png')).toBe('@C:\\data\\a.png');
    expect(pathInPrompt('C:\\My data\\a.png')).toBe('@"C:\\My data\\a.png"');
  });
});
