import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from './blocks.ts';
import { LIST_CUT_LENGTH } from './limits.ts';

const sources = (text: string) => splitBlocks(text).map((block) => block.source);
const codeOf = (text: string) =>
  splitBlocks(text).flatMap(({ content }) => (content.kind === 'code' ? [[content.language, content.code]] : []));

/** Pieces from which awkward Markdown is put together. */
const piece = fc.constantFrom(
  '# a\n', '#', '\n', '\r\n', '\r', ' ', '\t', '    ', 'word', 'word\n', '- a\n', '- ', '1. a\n', '2) b\n', '   - c\n',
  '> q\n', '```\n', '```js\n', '~~~\n', '  ```\n', '`', '<!--', '-->\n', '<script>\n', '</script>\n', '<div>\n',
  '***\n', '---\n', '===\n', '|a|b|\n', '|-|-|\n', '[a]: https://a.example\n', '[^1]: note\n', '[a]', '[^1]', '*', '**',
  '\u0000', '\u{1f600}', '\ud800', '\u2028',
); // biome-ignore format: one list of pieces
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('splitBlocks', () => {
  it('loses no text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary' })), (text) => {
        expect(sources(text).join('')).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('cuts a text that grew piece by piece as it cuts it whole', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let text = '';
        let grown = splitBlocks(text);
        for (const added of pieces) {
          text += added;
          grown = splitBlocks(text, grown);
        }
        expect(grown).toEqual(splitBlocks(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps finished blocks as they are while a text grows', () => {
    const before = splitBlocks('one\n\ntwo\n\nthree\nand');
    const after = splitBlocks('one\n\ntwo\n\nthree\nand more\n\nfour', before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(after).toHaveLength(4);
  });

  it('cuts anew when the text is another one', () => {
    expect(splitBlocks('b\n\nc', splitBlocks('a\n\nb')).map((block) => block.source)).toEqual(['b\n\n', 'c']);
  });

  it('cuts at blank lines, headings and fences', () => {
    expect(sources('# a\ntext\nmore\n\nnext\n```\ncode\n\ncode\n```\nend')).toEqual([
      '# a\n',
      'text\nmore\n\n',
      'next\n',
      '```\ncode\n\ncode\n```\n',
      'end',
    ]);
  });

  it('keeps a loose list with its paragraphs and fences together', () => {
    const list = '- a\n\n  more\n\n  ```\n  x\n\n  y\n  ```\n\n- b\n\n';
    expect(sources(`${list}after`)).toEqual([list, 'after']);
  });

  it('keeps indented code together across blank lines', () => {
    expect(sources('    a\n\n    b\n\nafter')).toEqual(['    a\n\n    b\n\n', 'after']);
  });

  it('does not cut within an HTML comment', () => {
    expect(sources('<!-- a\n\nb -->\nafter')).toEqual(['<!-- a\n\nb -->\n', 'after']);
  });

  it('reads fences: language, indentation, marks within, and one that is still open', () => {
    expect(codeOf('```js\nlet a;\n\nlet b;\n```\n')).toEqual([['js', 'let a;\n\nlet b;']]);
    expect(codeOf('  ~~~ python x\n    a\n  b\n  ~~~')).toEqual([['python', '  a\nb']]);
    expect(codeOf('````md\n```\n````')).toEqual([['md', '```']]);
    expect(codeOf('```sh\nopen\nend')).toEqual([['sh', 'open\nend']]);
    expect(codeOf('```\n```')).toEqual([['', '']]);
  });

  it('takes a backtick in the info string as no fence', () => {
    expect(codeOf('``` a`b\ntext')).toEqual([]);
  });

  it('cuts a huge list before one of its items', () => {
    const blocks = sources('- an item of it\n\n  with a second paragraph\n'.repeat(1_000));
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.every((block) => block.startsWith('- '))).toBe(true);
    expect(Math.max(...blocks.map((block) => block.length))).toBeLessThan(LIST_CUT_LENGTH * 2);
  });

  it('hands over the link definitions of a block', () => {
    const [block] = splitBlocks('see [a]\n\n[a]: https://a.example "A"').slice(1);
    expect(block?.content).toMatchObject({ definitions: '[a]: https://a.example "A"' });
  });
});
