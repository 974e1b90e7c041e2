import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it } from 'vitest';
import { TooltipProvider } from '../../ui/index.ts';
import { openableAddress } from './address.ts';
import { splitBlocks } from './blocks.ts';
import { foldCode } from './fold.ts';
import { Markdown } from './index.tsx';
import { FOLDED_CODE_LENGTH, FOLDED_CODE_LINES, MAX_CODE_LINES, MAX_SHOWN_LENGTH } from './limits.ts';

function html(text: string, streaming = false): string {
  return renderToStaticMarkup(
    <TooltipProvider>
      <Markdown text={text} streaming={streaming} />
    </TooltipProvider>,
  );
}

/** What a browser would act on: addresses it follows or fetches, scripts, handlers, embedded pages. */
function acting(markup: string): string[] {
  const tags = markup.match(/<[a-z][^>]*>/gi) ?? [];
  return tags.filter(
    (tag) =>
      /^<(?:script|iframe|object|embed|img|video|audio|source|form|base|meta|style)\b/i.test(tag) ||
      /\s(?:href|src|srcset|action|formaction|xlink:href|poster|background|on[a-z]+)\s*=/i.test(tag),
  );
}

const HOSTILE = [
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '[x](app://parley/index.html)',
  '[x](attachment://att-1)',
  '[x](//evil.example)',
  '[x](#top)',
  '[x](http://plain.example)',
  '![pixel](https://evil.example/p.png)',
  '![pixel](data:image/svg+xml,<svg onload=alert(1)>)',
  '![pixel][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '<https://safe.example>',
  'www.autolink.example and a@b.example',
  '```html\n<script>alert(1)</script>\n```',
  '<!-- a comment\n\n<script>alert(1)</script> -->',
  '<style>*{display:none}</style>',
  '[^1]\n\n[^1]: note <b onclick=x>',
  '- [ ] <input onfocus=alert(1) autofocus>',
  '| a |\n|---|\n| <svg/onload=alert(1)> |',
  '[x](<javascript:alert(1)> "title\' onmouseover=alert(1)")',
];

describe('Markdown', () => {
  it.each(HOSTILE)('renders %j without anything that acts', (text) => {
    expect(acting(html(text))).toEqual([]);
    expect(acting(html(text, true))).toEqual([]);
  });

  it('shows raw HTML as the text that it is', () => {
    expect(html('a <b>bold</b> <script>x</script>')).toContain(
      '&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;',
    );
    expect(html('<div>\nblock\n</div>')).toContain('&lt;div&gt;');
  });

  it('makes https and mailto addresses links, and shows all others as text with the address', () => {
    expect(html('[site](https://a.example/x)')).toMatch(/<a role="link"[^>]*title="https:\/\/a.example\/x"[^>]*>site</);
    expect(html('[mail](mailto:a@b.example)')).toContain('role="link"');
    const inert = html('[click](javascript:alert(1))');
    expect(inert).not.toContain('role="link"');
    expect(inert).toContain('click');
    expect(inert).toContain('(javascript:alert(1))');
  });

  it('names an image instead of fetching it', () => {
    expect(html('![a chart](https://a.example/c.png)')).toContain('Image, not loaded: a chart');
    expect(html('![a chart](file:///c.png)')).toContain('(file:///c.png)');
  });

  it('keeps headings below those of the page', () => {
    const markup = html('# a\n\n## b\n\n###### c');
    expect(markup).not.toMatch(/<h1[ >]/);
    expect(markup).toMatch(/<h2[ >].*<h3[ >].*<h6[ >]/s);
  });

  it('highlights code, and leaves code of an unknown language plain', () => {
    expect(html('```js\nconst a = 1;\n```')).toContain('hljs-keyword');
    expect(html('```nosuch\nconst a = 1;\n```')).toContain('const a = 1;');
    expect(html(`\`\`\`js\n${'const a = 1;\n'.repeat(5)}${'x'.repeat(30_000)}\n\`\`\``)).toContain('const');
  });

  it('folds long code and says how long it is', () => {
    const markup = html(`\`\`\`\n${Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')}\n\`\`\``);
    expect(markup).toContain('Show all 500 lines');
    expect(markup).toContain(`line ${FOLDED_CODE_LINES - 1}\n`.trimEnd());
    expect(markup).not.toContain(`line ${FOLDED_CODE_LINES}\n`);
  });

  it('resolves a link whose definition stands in another block', () => {
    expect(html('see [a]\n\ntext\n\n[a]: https://a.example')).toContain('title="https://a.example/"');
  });

  it('keeps footnotes with what they belong to', () => {
    expect(html('claim[^1]\n\nmore\n\n[^1]: the source')).toMatch(/claim<sup>.*the source/s);
  });

  it('completes emphasis and folds half a link away while the text is streamed', () => {
    expect(html('this is **bo', true)).toContain('<strong>bo</strong>');
    expect(html('see [the docs](https://exa', true)).not.toContain('](');
    expect(html('this is **bo', false)).toContain('**bo');
  });

  it('does not show the beginning of a closing fence as code', () => {
    expect(html('```js\nlet a;\n``', true)).not.toContain('``');
  });

  it('folds the beginning of a huge message', () => {
    const markup = html(`first words\n\n${'a paragraph of it\n\n'.repeat(MAX_SHOWN_LENGTH / 10)}last words`);
    expect(markup).toContain('The beginning of this message is folded');
    expect(markup).toContain('last words');
    expect(markup).not.toContain('first words');
  });

  it('shows what is nested too deeply, or too long for the parser, as it was written', () => {
    expect(html('>'.repeat(10_000))).toContain('Too deeply nested');
    expect(html(`${'- '.repeat(200)}x`)).toContain('shown as it was written');
    expect(html('word '.repeat(20_000))).toContain('A long passage');
  });

  it('never throws and never acts, whatever the text is', () => {
    const fragment = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 12, unit: 'binary' }), fc.constantFrom('\n', '\n\n', '> ', '- ', '  ', '```', '`', '**', '[', '](', '|')); // biome-ignore format: one list
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), fc.boolean(), (fragments, streaming) => {
        expect(acting(html(fragments.join(''), streaming))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('parses the blocks to what the whole text parses to', () => {
    const line = fc.constantFrom('# a', 'word *em*', '', '', '- a', '  b', '    c', '1. x', '> q', '```', '~~~', '***', '|a|', '|-|', '<div>', '<!-- c -->', '- - a', '  - z'); // biome-ignore format: one list
    const parsed = (text: string) =>
      renderToStaticMarkup(<ReactMarkdown remarkPlugins={[remarkGfm]}>{text}</ReactMarkdown>).trim();
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const text = lines.join('\n');
        const inBlocks = splitBlocks(text).map((block) => parsed(block.source));
        expect(inBlocks.filter((markup) => markup !== '').join('\n')).toBe(parsed(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('foldCode', () => {
  it('leaves short code alone', () => {
    const code = 'a\n'.repeat(MAX_CODE_LINES - 1);
    expect(foldCode(code)).toEqual({ lines: MAX_CODE_LINES, isFolded: false, shown: code });
  });

  it('folds one endless line without cutting a character in two', () => {
    const { isFolded, shown } = foldCode(`x${'\u{1f600}'.repeat(FOLDED_CODE_LENGTH * 2)}`);
    expect(isFolded).toBe(true);
    expect(encodeURIComponent(shown)).not.toBe('');
  });
});

describe('openableAddress', () => {
  it.each(['javascript:alert(1)', 'http://a.example', 'file:///x', 'data:,x', '/x', '', 'https:// bad', undefined])(
    'refuses %j',
    (address) => expect(openableAddress(address)).toBeNull(),
  );

  it('takes https and mailto', () => {
    expect(openableAddress('https://a.example')).toBe('https://a.example/');
    expect(openableAddress('mailto:a@b.example')).toBe('mailto:a@b.example');
  });
});
