/** What replacing a text in another one comes to. */
export type Edited =
  | {
      readonly kind: 'done';
      readonly text: string /** Lines at which a replacement begins; 1 is the first. */;
      readonly lines: number[];
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'several'; readonly lines: number[] }
  | { readonly kind: 'same' };

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/**
 * Replaces `oldText`, character for character. Models write line ends as LF: in a text whose lines all end in CR LF both
 * texts are taken to mean that; in one of mixed line ends only when the text is not found as it stands.
 */
export function editText(text: string, edit: Edit): Edited {
  if (lineEndsOf(text) === 'crlf') return replace(text, withCrlf(edit));
  const asWritten = replace(text, edit);
  if (asWritten.kind !== 'not-found' || !text.includes('\r\n') || !edit.oldText.includes('\n')) return asWritten;
  return replace(text, withCrlf(edit));
}

function lineEndsOf(text: string): 'crlf' | 'other' {
  const feeds = text.match(/\n/g)?.length ?? 0;
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  return pairs > 0 && pairs === feeds ? 'crlf' : 'other';
}

function withCrlf(edit: Edit): Edit {
  const convert = (text: string) => text.replace(/\r?\n/g, '\r\n');
  return { ...edit, oldText: convert(edit.oldText), newText: convert(edit.newText) };
}

function replace(text: string, { oldText, newText, replaceAll }: Edit): Edited {
  if (oldText === newText) return { kind: 'same' };
  const starts: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) starts.push(at);
  if (starts.length === 0) return { kind: 'not-found' };
  const lines = linesOf(text, starts);
  // One that overlaps the first is a second place, too, although it would not be replaced.
  const first = starts[0] ?? 0;
  const isAmbiguous = starts.length > 1 || text.indexOf(oldText, first + 1) !== -1;
  if (isAmbiguous && !replaceAll) return { kind: 'several', lines };
  let result = '';
  let from = 0;
  for (const start of starts) {
    result += text.slice(from, start) + newText;
    from = start + oldText.length;
  }
  return { kind: 'done', text: result + text.slice(from), lines };
}

function linesOf(text: string, starts: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return starts.map((start) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line++;
    from = start;
    return line;
  });
}
