import { useState } from 'react';
import { Button } from '../../ui/index.ts';
import { CodeFrame } from './CodeFrame.tsx';
import { foldCode } from './fold.ts';
import { MAX_HIGHLIGHT_LENGTH } from './limits.ts';
import { fenced, renderMarkdown } from './render.tsx';

/** A fenced block of code: folded while it is long, in colours while it is not huge. */
export function FencedCode({ language, code }: { language: string; code: string }) {
  const [isOpen, setOpen] = useState(false);
  const fold = foldCode(code);
  const shown = isOpen ? code : fold.shown;
  const footer = fold.isFolded ? (
    <div className="border-t px-1.5 py-1">
      <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${fold.lines.toLocaleString('en')} ${fold.lines === 1 ? 'line' : 'lines'}`}
      </Button>
    </div>
  ) : undefined;

  if (language !== '' && shown.length <= MAX_HIGHLIGHT_LENGTH) {
    return renderMarkdown(fenced(language, shown), {
      pre: ({ children }) => (
        <CodeFrame language={language} code={code} footer={footer}>
          {children}
        </CodeFrame>
      ),
    });
  }
  return (
    <CodeFrame language={language} code={code} footer={footer}>
      <code>{shown}</code>
    </CodeFrame>
  );
}
