import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, code, prose } from './markdown.ts';

describe('text from elsewhere in Markdown', () => {
  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['two\nlines', '`two lines`'],
    ['\u001b[31mred\u202e', '`�[31mred�`'],
    ['', '`  `'],
  ])('code holds %j', (text, markdown) => {
    expect(code(text)).toBe(markdown);
  });

  it('a block cannot be left by a fence inside of it', () => {
    expect(block('x\n```\n# out')).toBe('````\nx\n```\n# out\n````');
  });

  it('prose loses its markup, and no word', () => {
    expect(prose('<img src=x> [a](javascript:b) **c** & `d`')).toBe(
      '\\<img src=x\\> \\[a\\](javascript:b) \\*\\*c\\*\\* \\& \\`d\\`',
    );
  });

  it('never holds a control character but line breaks and tabs in blocks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const out of [code(text), prose(text)]) expect(out).not.toMatch(/[\p{Cc}]/u);
        expect(block(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });
});
