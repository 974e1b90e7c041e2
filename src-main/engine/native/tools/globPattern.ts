import { MAX_BRACE_PATTERNS } from './limits.ts';

/** One element of a segment: a character, any character, any run of characters, or one of a set. */
type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'run' }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** `**`, or what one name has to be. */
type Segment =
  | 'any-depth'
  | { readonly tokens: readonly Token[] /** The name itself, when it is one. */; readonly literal: string | null };

export type GlobPattern = {
  /** Whether a path, cut at its slashes, matches. Time grows with the product of both lengths, never faster. */
  matches(path: readonly string[]): boolean;
  /** Names that the pattern spells out: whoever writes `node_modules` means it. */
  readonly names: ReadonlySet<string>;
};

/**
 * Reads a pattern of `*`, `**`, `?`, `[…]` and `{a,b}`. One without a slash matches names at any depth. `*` matches
 * names that begin with a dot, too.
 * @returns the pattern, or what is wrong with it in a sentence
 */
export function parseGlob(pattern: string): GlobPattern | string {
  if (pattern === '') return 'The pattern is empty.';
  if (pattern.startsWith('/')) return 'The pattern is relative to “path”: it cannot begin with a slash.';
  const expanded = expandBraces(pattern);
  if (expanded === null) return `The braces of the pattern stand for more than ${MAX_BRACE_PATTERNS} patterns.`;
  const alternatives: Segment[][] = [];
  for (const one of expanded) {
    const names = one.split('/').filter((name) => name !== '' && name !== '.');
    if (names.includes('..')) return 'The pattern cannot hold “..”; use “path”.';
    const segments = names.map(parseSegment);
    alternatives.push(names.length === 1 && segments[0] !== 'any-depth' ? ['any-depth', ...segments] : segments);
  }
  const literals = alternatives.flat().flatMap((segment) => (segment === 'any-depth' ? [] : (segment.literal ?? [])));
  return {
    matches: (path) => alternatives.some((segments) => matchPath(segments, path)),
    names: new Set(literals),
  };
}

/** Every pattern that the braces stand for; `null` when there are too many. Braces without a comma are characters. */
function expandBraces(pattern: string): string[] | null {
  const done: string[] = [];
  const waiting = [pattern];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const braces = firstBraces(one);
    if (braces === null) done.push(one);
    else {
      const { start, end, parts } = braces;
      for (const part of parts) waiting.push(one.slice(0, start) + part + one.slice(end + 1));
    }
    if (done.length + waiting.length > MAX_BRACE_PATTERNS) return null;
  }
  return done;
}

function firstBraces(text: string): { start: number; end: number; parts: string[] } | null {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    if (text[start - 1] === '\\') continue;
    const parts: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < text.length; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '{') depth++;
      else if (text[at] === ',' && depth === 1) {
        parts.push(text.slice(from, at));
        from = at + 1;
      } else if (text[at] === '}' && --depth === 0) {
        if (parts.length > 0) return { start, end: at, parts: [...parts, text.slice(from, at)] };
        break;
      }
    }
  }
  return null;
}

function parseSegment(text: string): Segment {
  if (text === '**') return 'any-depth';
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'run') tokens.push({ kind: 'run' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '[') {
      const set = parseSet(characters, at);
      if (set === null) tokens.push({ kind: 'character', character });
      else {
        tokens.push(set.token);
        at = set.end;
      }
    } else if (character === '\\' && at + 1 < characters.length) {
      tokens.push({ kind: 'character', character: characters[++at] ?? '' });
    } else tokens.push({ kind: 'character', character });
  }
  const literal = tokens.every((token) => token.kind === 'character')
    ? tokens.map((token) => token.character).join('')
    : null;
  return { tokens, literal };
}

/** A set such as `[a-z_]` or `[!0-9]`; `null` when the bracket is never closed. */
function parseSet(characters: readonly string[], start: number): { token: Token; end: number } | null {
  let at = start + 1;
  const isNegated = characters[at] === '!' || characters[at] === '^';
  if (isNegated) at++;
  const ranges: [string, string][] = [];
  for (let isFirst = true; at < characters.length; isFirst = false) {
    const from = characters[at] ?? '';
    // A bracket that closes is a character where it comes first.
    if (from === ']' && !isFirst) return { token: { kind: 'set', isNegated, ranges }, end: at };
    const to = characters[at + 2];
    if (characters[at + 1] === '-' && to !== undefined && to !== ']') {
      ranges.push([from, to]);
      at += 3;
    } else {
      ranges.push([from, from]);
      at++;
    }
  }
  return null;
}

function matchPath(segments: readonly Segment[], path: readonly string[]): boolean {
  return matchRuns(
    segments,
    path,
    (segment) => segment === 'any-depth',
    (segment, name) => segment !== 'any-depth' && matchName(segment.tokens, Array.from(name)),
  );
}

function matchName(tokens: readonly Token[], name: readonly string[]): boolean {
  return matchRuns(tokens, name, (token) => token.kind === 'run', matchCharacter);
}

function matchCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'character':
      return token.character === character;
    case 'any':
      return true;
    case 'run':
      return false;
    case 'set':
      return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.isNegated;
  }
}

/**
 * Whether `values` match `pattern`, in which some elements stand for any run of values. After a mismatch only the last
 * run has to grow: going back further could find nothing new.
 */
function matchRuns<Element, Value>(
  pattern: readonly Element[],
  values: readonly Value[],
  isRun: (element: Element) => boolean,
  isMatch: (element: Element, value: Value) => boolean,
): boolean {
  let element = 0;
  let value = 0;
  let lastRun = -1;
  let runEnd = 0;
  while (value < values.length) {
    const current = pattern[element];
    const wanted = values[value];
    if (current !== undefined && isRun(current)) {
      lastRun = element++;
      runEnd = value;
    } else if (current !== undefined && wanted !== undefined && isMatch(current, wanted)) {
      element++;
      value++;
    } else if (lastRun !== -1) {
      element = lastRun + 1;
      value = ++runEnd;
    } else return false;
  }
  return pattern.slice(element).every(isRun);
}
