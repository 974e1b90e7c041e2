import { memo, useState } from 'react';
import type { Components } from 'react-markdown';
import { Button } from '../../ui/index.ts';
import { CodeFrame } from './CodeFrame.tsx';
import { foldCode } from './fold.ts';
import { MAX_HIGHLIGHT_LENGTH } from './limits.ts';
import { fenced, renderMarkdown } from './render.tsx';

/** The frame is drawn here, around what the highlighter makes of the code. */
const CODE_ALONE: Components = { pre: ({ children }) => children };

/** A fenced block of code: folded while it is long, in colours while it is not huge. */
export const FencedCode = memo(function FencedCode({ language, code }: { language: string; code: string }) {
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

  return (
    <CodeFrame language={language} code={code} footer={footer}>
      {language !== '' && shown.length <= MAX_HIGHLIGHT_LENGTH ? (
        renderMarkdown(fenced(language, shown), CODE_ALONE)
      ) : (
        <code>{shown}</code>
      )}
    </CodeFrame>
  );
});
