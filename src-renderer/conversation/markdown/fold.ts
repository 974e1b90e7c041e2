import { FOLDED_CODE_LENGTH, FOLDED_CODE_LINES, MAX_CODE_LINES } from './limits.ts';

export interface FoldedCode {
  readonly lines: number;
  readonly isFolded: boolean;
  /** All of it, or its beginning. */
  readonly shown: string;
}

/** The beginning of a long block of code, cut at a line's end where there is one. */
export function foldCode(code: string): FoldedCode {
  let lines = 1;
  let cut = code.length;
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) {
    if (lines === FOLDED_CODE_LINES) cut = at;
    lines += 1;
  }
  if (lines <= MAX_CODE_LINES) cut = code.length;
  cut = Math.min(cut, code.length > FOLDED_CODE_LENGTH * 2 ? FOLDED_CODE_LENGTH : code.length);
  // Half of a surrogate pair is no character.
  if (/[\ud800-\udbff]/.test(code.charAt(cut - 1))) cut -= 1;
  return { lines, isFolded: cut < code.length, shown: code.slice(0, cut) };
}
