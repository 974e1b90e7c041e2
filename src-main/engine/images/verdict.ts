/**
 * What walking the structure of an image file found. `damaged` names what is wrong in words that end the sentence
 * "… could not be read: ". `foreign` is a variant of the format that agents do not take, in the words of a refusal.
 */
export type Verdict =
  | { kind: 'complete'; width: number; height: number }
  | { kind: 'truncated' }
  | { kind: 'damaged'; detail: string }
  | { kind: 'foreign'; what: string };

export const truncated: Verdict = { kind: 'truncated' };

export function damaged(detail: string): Verdict {
  return { kind: 'damaged', detail };
}
