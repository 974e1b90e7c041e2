import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { formatDuration } from '../../../../src-shared/outcome.ts';
import { plainTail, stripEscapes } from '../../../../src-shared/plainText.ts';
import { LineCutter } from '../../process/index.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { type Anchor, anchorAt, notThere, openFile } from './anchor.ts';
import { type CommandResult, runCommand } from './command.ts';
import { type Place, resolvePlace, rootOf } from './confine.ts';
import { defineTool } from './define.ts';
import { parseGlob } from './globPattern.ts';
import {
  GREP_BYTES,
  GREP_LINE_BYTES,
  GREP_MATCHES,
  GREP_MAX_LINE_BYTES,
  GREP_OUTPUT_BYTES,
  GREP_WALL_MS,
} from './limits.ts';
import { wholeCharacters } from './lineWindow.ts';
import { count, ok, Refusal, throwIfEnded } from './outcome.ts';
import type { Sandbox } from './sandbox.ts';
import { findSearcher, NameCutter, parseHit, type Searcher, type SearchHit, searchArguments } from './searcher.ts';
import { SKIPPED_DIRECTORIES } from './skipped.ts';

const MAX_COMPLAINT_BYTES = 600;

const input = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression, of one line.'),
  path: z.string().optional().describe('The file or directory to search; the working directory when left out.'),
  glob: z.string().optional().describe('Only files that match, for example *.ts or src/**/*.css.'),
  case_insensitive: z.boolean().optional(),
  files_only: z.boolean().optional().describe('Return the names of the files instead of the lines.'),
});
type Input = z.infer<typeof input>;

/**
 * Searches with ripgrep, otherwise with grep, inside the sandbox where there is one: a directory that is replaced by a
 * link while the program runs leads it to nothing that a command of the seat could not see as well.
 */
export function grepTool(sandbox: Sandbox): Tool {
  return defineTool({
    name: 'grep',
    description: `Searches the content of text files. Returns at most ${GREP_MATCHES} lines as path:line:text. Does not enter ${SKIPPED_DIRECTORIES.join(', ')}, unless path leads there.`,
    right: 'read',
    input,
    title: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    run: (query, context) => run(query, context, sandbox),
  });
}

async function run(query: Input, context: ToolContext, sandbox: Sandbox): Promise<ToolOutcome> {
  if (/[\0\n]/.test(query.pattern)) throw new Refusal('failed', 'The pattern must be one line.');
  const filter = query.glob === undefined ? null : parseGlob(query.glob);
  if (typeof filter === 'string') throw new Refusal('failed', filter);
  const searcher = await findSearcher(context.commands.environment.PATH ?? '');
  if (searcher === null) throw new Refusal('failed', 'Neither ripgrep (rg) nor grep is installed on this machine.');
  const place = await resolvePlace(query.path ?? '.', context);
  const { directory, target } = await hold(place);
  try {
    const hits = new Hits((path) => {
      const isSeen = rootOf(join(directory.path, path), context) !== null;
      return isSeen && (filter === null || filter.matches(path.split(sep)));
    });
    const args = searchArguments(searcher.kind, {
      pattern: query.pattern,
      ignoreCase: query.case_insensitive === true,
      filesOnly: query.files_only === true,
      namePattern:
        query.glob !== undefined && /^[^/{}\\]+$/.test(query.glob) && query.glob !== '**' ? query.glob : null,
      target,
    });
    const result = await search({ ...searcher, args }, directory, hits, query.files_only === true, context, sandbox);
    throwIfEnded(context.signal);
    const prefix = relative(context.cwd, directory.path);
    return present(result, hits, searcher, prefix.startsWith('..') ? directory.path : prefix);
  } finally {
    await directory.close();
  }
}

/** Holds on to the directory that is searched, or that the one file is in. */
async function hold(place: Place): Promise<{ directory: Anchor; target: string }> {
  const name = place.segments.at(-1);
  try {
    const isDirectory = name === undefined || (await lstat(place.real)).isDirectory();
    if (isDirectory) return { directory: await anchorAt(place.root, place.segments), target: '.' };
    // Refuses what is no regular file: a pipe would keep the program waiting.
    const { handle } = await openFile(place);
    await handle.close();
    return { directory: await anchorAt(place.root, place.segments.slice(0, -1)), target: `./${name}` };
  } catch (error) {
    throw notThere(place.shown, error);
  }
}

interface Searched {
  readonly result: CommandResult;
  readonly stderr: string;
}

async function search(
  program: { readonly program: string; readonly args: readonly string[] },
  directory: Anchor,
  hits: Hits,
  filesOnly: boolean,
  context: ToolContext,
  sandbox: Sandbox,
): Promise<Searched> {
  const lines = filesOnly
    ? new NameCutter((hit) => hits.add(hit))
    : new LineCutter(
        GREP_MAX_LINE_BYTES,
        (line) => hits.add(parseHit(line)),
        () => hits.addOverlong(),
      );
  const { scratch } = context.commands;
  let stderr = '';
  const result = await runCommand(
    {
      ...program,
      // Inside a sandbox the path is looked up anew, among what the seat may see.
      cwd: sandbox.kind === 'bubblewrap' ? directory.path : directory.forProcess(),
      setting: context.commands,
      sandbox,
      plan: { ...context, allowWrite: false, cacheDir: null, scratch },
      wallMs: GREP_WALL_MS,
      idleMs: null,
      maxOutputBytes: GREP_OUTPUT_BYTES,
      signal: context.signal,
      graceMs: 0,
      onProcess: (process) => context.onProcess(process),
      onOutput: (stream, chunk) => {
        if (stream === 'stdout') lines.push(chunk);
        else if (stderr.length < MAX_COMPLAINT_BYTES) stderr += chunk.toString('utf8', 0, MAX_COMPLAINT_BYTES);
        return !hits.isFull;
      },
    },
    async (ended) => ended,
  );
  return { result, stderr: stripEscapes(stderr).trim() };
}

/** Collects what was found, as long as there is room. */
class Hits {
  readonly all: SearchHit[] = [];
  isFull = false;
  overlong = 0;
  #bytes = 0;

  constructor(private readonly isWanted: (path: string) => boolean) {}

  add(hit: SearchHit | null): void {
    if (hit === null || this.isFull || !this.isWanted(hit.path)) return;
    const text = hit.line === null ? '' : clip(stripEscapes(hit.line.text));
    const bytes = Buffer.byteLength(hit.path) + Buffer.byteLength(text) + 8;
    if (this.all.length >= GREP_MATCHES || this.#bytes + bytes > GREP_BYTES) {
      this.isFull = true;
      return;
    }
    this.#bytes += bytes;
    this.all.push(hit.line === null ? hit : { ...hit, line: { ...hit.line, text } });
  }

  addOverlong(): void {
    this.overlong++;
  }
}

function clip(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= GREP_LINE_BYTES) return text;
  return `${bytes.toString('utf8', 0, wholeCharacters(bytes, GREP_LINE_BYTES))} […]`;
}

function present({ result, stderr }: Searched, hits: Hits, searcher: Searcher, prefix: string): ToolOutcome {
  const { end } = result;
  // Both programs: 0 found, 1 nothing found, 2 something went wrong, perhaps beside what was found.
  const wentWrong = end.kind === 'not-started' || (end.kind === 'exited' && end.code !== 0 && end.code !== 1);
  if (wentWrong && hits.all.length === 0) {
    const detail = end.kind === 'not-started' ? end.detail : stderr || 'it said nothing';
    throw new Refusal('failed', `${searcher.kind} could not search: ${detail}`);
  }
  const lines = hits.all
    .map(({ path, line }) => ({ at: join(prefix, path), line }))
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ at, line }) => (line === null ? at : `${at}:${line.number}:${line.text}`));
  const notes: string[] = [];
  if (hits.isFull)
    notes.push(`[There is more: limit of ${GREP_MATCHES} results or ${GREP_BYTES} bytes reached. Narrow the search.]`);
  if (end.kind === 'timed-out') notes.push(`[Stopped after ${formatDuration(GREP_WALL_MS)}: there may be more.]`);
  if (end.kind === 'output-limit' || end.kind === 'disk-full') notes.push('[Stopped: too much was found.]');
  if (hits.overlong > 0)
    notes.push(`[${count(hits.overlong, 'line')} longer than ${GREP_MAX_LINE_BYTES} bytes left out.]`);
  if (wentWrong) notes.push(`[Not everything could be searched: ${plainTail(stderr, MAX_COMPLAINT_BYTES)}]`);
  if (lines.length === 0) {
    const dialect = searcher.kind === 'grep' ? ' (searched with grep -E, which knows no \\d)' : '';
    return ok([`Nothing matches${dialect}. Not entered: ${SKIPPED_DIRECTORIES.join(', ')}.`, ...notes].join('\n'));
  }
  return ok([...lines, ...notes].join('\n'));
}
