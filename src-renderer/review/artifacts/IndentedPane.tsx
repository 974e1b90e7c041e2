import { type ReactNode, useEffect, useState } from 'react';
import { errorText } from '../../../src-shared/failure.ts';
import { FailureBox } from '../../ui/index.ts';
import { type ByteSource, memorySource } from '../source.ts';
import { readWhole } from './readWhole.ts';
import { TextPane } from './TextPane.tsx';

type Indented =
  | { readonly kind: 'text'; readonly source: ByteSource; readonly size: number }
  | { readonly kind: 'failed'; readonly sentence: string; readonly hint: string };

/** The same value, indented; a sentence when the bytes are no JSON. */
export function indentJson(bytes: Uint8Array): Indented {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const text = new TextEncoder().encode(JSON.stringify(value, null, 2));
    return { kind: 'text', source: memorySource(text), size: text.byteLength };
  } catch (error) {
    return {
      kind: 'failed',
      sentence: `This is not valid JSON: ${errorText(error)}.`,
      hint: 'Its text shows what is there.',
    };
  }
}

/** A JSON file as it is easier to read. Its bytes are in the text view. */
export function IndentedPane({
  label,
  source,
  size,
  lead,
}: {
  label: string;
  source: ByteSource;
  size: number;
  lead: ReactNode;
}) {
  const [indented, setIndented] = useState<Indented | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readWhole(source, size).then((result) => {
      if (!isCurrent) return;
      if (result.ok) setIndented(indentJson(result.value));
      else setIndented({ kind: 'failed', sentence: result.error.message, hint: result.error.hint });
    });
    return () => {
      isCurrent = false;
    };
  }, [source, size]);
  if (indented === null) return null;
  if (indented.kind === 'failed') {
    return (
      <div className="px-3">
        {lead}
        <div className="h-2" />
        <FailureBox sentence={indented.sentence} hint={indented.hint} />
      </div>
    );
  }
  return <TextPane label={label} source={indented.source} size={indented.size} lead={lead} />;
}
