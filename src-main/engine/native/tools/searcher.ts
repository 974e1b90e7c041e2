import { Decoder, findExecutable } from '../../process/index.ts';
import { GREP_LINE_BYTES } from './limits.ts';
import { SKIPPED_DIRECTORIES } from './skipped.ts';

/** A program that searches files. Never this process itself: a pattern can take forever, and a program can be ended. */
export interface Searcher {
  readonly kind: 'ripgrep' | 'grep';
  readonly program: string;
}

export interface SearchQuery {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Names of files only. */
  readonly filesOnly: boolean;
  /** A pattern of names without slash and braces, which both programs understand alike; `null` for all files. */
  readonly namePattern: string | null;
  /** `.`, or `./` and a name. */
  readonly target: string;
}

export async function findSearcher(searchPath: string): Promise<Searcher | null> {
  for (const [name, kind] of [
    ['rg', 'ripgrep'],
    ['grep', 'grep'],
  ] as const) {
    const lookup = await findExecutable(name, searchPath);
    if (lookup.kind === 'found') return { kind, program: lookup.path };
  }
  return null;
}

/**
 * The arguments that make both programs do the same: search hidden files, too, whatever .gitignore says; leave out
 * binary files and the directories that are usually left out; print `path NUL line : text`. ripgrep 13, GNU grep 3.8.
 */
export function searchArguments(kind: Searcher['kind'], query: SearchQuery): string[] {
  const { pattern, ignoreCase, filesOnly, namePattern, target } = query;
  const end = ['-e', pattern, '--', target];
  if (kind === 'ripgrep') {
    return [
      ...[
        '--no-config',
        '--no-ignore',
        '--hidden',
        '--color=never',
        '--no-heading',
        '--with-filename',
        '--line-number',
      ],
      ...['--null', '--sort=path', `--max-columns=${GREP_LINE_BYTES}`, '--max-columns-preview'],
      ...(ignoreCase ? ['--ignore-case'] : []),
      ...(filesOnly ? ['--files-with-matches'] : []),
      ...(namePattern === null ? [] : [`--glob=${namePattern}`]),
      // A directory that is searched itself is never left out: the globs are of what lies below it.
      ...SKIPPED_DIRECTORIES.map((name) => `--glob=!**/${name}/`),
      ...end,
    ];
  }
  return [
    ...['-r', '-I', '-E', '-n', '-H', '--null', '--color=never'],
    ...(ignoreCase ? ['-i'] : []),
    ...(filesOnly ? ['-l'] : []),
    ...(namePattern === null ? [] : [`--include=${namePattern}`]),
    ...SKIPPED_DIRECTORIES.map((name) => `--exclude-dir=${name}`),
    ...end,
  ];
}

export interface SearchHit {
  /** Relative to where it was searched, without `./`. */
  readonly path: string;
  /** `null` when only names were asked for. */
  readonly line: { readonly number: number; readonly text: string } | null;
}

/** Reads one line of what a search program prints; `null` for what is no hit, such as a remark on a binary file. */
export function parseHit(line: string): SearchHit | null {
  const end = line.indexOf('\0');
  if (end === -1) return null;
  const match = /^(\d+):(.*)$/s.exec(line.slice(end + 1));
  if (match === null) return null;
  return { path: plainPath(line.slice(0, end)), line: { number: Number(match[1]), text: match[2] ?? '' } };
}

/** Cuts what is printed of names only: each ends with a NUL. A name is held until it is whole. */
export class NameCutter {
  readonly #decoder = new Decoder('utf-8');
  #carry = '';

  constructor(private readonly onHit: (hit: SearchHit) => void) {}

  push(chunk: Buffer): void {
    const names = (this.#carry + this.#decoder.push(chunk)).split('\0');
    this.#carry = names.pop() ?? '';
    for (const name of names) this.onHit({ path: plainPath(name), line: null });
  }
}

function plainPath(path: string): string {
  return path.replace(/^\.\//, '');
}
