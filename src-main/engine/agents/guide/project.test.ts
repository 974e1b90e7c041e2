import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReadme } from './project.ts';

describe('readReadme', () => {
  it.each<[string, string, string | null, string | null]>([
    ['a heading and a paragraph', '# Shop\n\nSells\nthings.\n\nMore.', 'Shop', 'Sells things.'],
    ['badges and images first', '[![ci](x)](y)\n# Shop #\n![logo](z)\n\nSells.', 'Shop', 'Sells.'],
    ['an underlined heading', 'Shop\n====\n\nSells.', 'Shop', 'Sells.'],
    ['markup', '<h1 align="center">Shop</h1>\n\nSells.', null, 'Sells.'],
    ['a code block before the text', '# Shop\n```\nnpm i\n```\nSells.', 'Shop', 'Sells.'],
    ['nothing', '', null, null],
  ])('%s', (_name, text, heading, paragraph) => {
    expect(readReadme(text)).toEqual({ heading, paragraph });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('#', '`', '=', '\n', ' ', 'a', '[', '!', '<') }), (text) => {
        expect(() => readReadme(text)).not.toThrow();
      }),
    );
  });
});
