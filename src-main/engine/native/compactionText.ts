import { textTokens } from './estimate.ts';

/** Cutting texts to a number of estimated tokens. */

/** Leaves out the middle of a text that has more than `tokens` estimated tokens, and says how much. */
export function cutMiddle(text: string, tokens: number): string {
  if (text === '' || textTokens(text) <= tokens) return text;
  let keep = Math.floor((text.length * Math.max(0, tokens)) / textTokens(text));
  for (;;) {
    const cut = withoutMiddle(text, keep);
    // What says that something was left out has a length of its own, and always stands.
    if (keep === 0 || textTokens(cut) <= tokens) return cut;
    keep = Math.floor(keep * 0.8);
  }
}

function withoutMiddle(text: string, keep: number): string {
  const head = text.slice(0, wholeBefore(text, Math.ceil(keep / 2)));
  const tail = text.slice(wholeBefore(text, text.length - Math.floor(keep / 2)));
  const leftOut = text.length - head.length - tail.length;
  return `${head}\n[… ${leftOut} characters left out …]\n${tail}`.trim();
}

/** `at`, or one less where that would be within a surrogate pair. */
function wholeBefore(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
