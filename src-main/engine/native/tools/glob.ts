import { z } from 'zod';
import { resolvePlace } from './confine.ts';
import { defineTool } from './define.ts';
import { parseGlob } from './globPattern.ts';
import { GLOB_MATCHES, WALK_ENTRIES } from './limits.ts';
import { count, ok, Refusal } from './outcome.ts';
import { SKIPPED_DIRECTORIES } from './skipped.ts';
import { type Walked, walk } from './walk.ts';

const input = z.strictObject({
  pattern: z.string().describe('For example *.ts (at any depth), src/**/*.{ts,tsx} or docs/*.md.'),
  path: z.string().optional().describe('The directory to look in; the working directory when left out.'),
});

export const glob = defineTool({
  name: 'glob',
  description: `Finds files by name: *, **, ?, […] and {a,b}. A pattern without a slash matches at any depth. Returns at most ${GLOB_MATCHES} paths, sorted. Does not enter ${SKIPPED_DIRECTORIES.join(', ')}, unless the pattern or path names them, nor symbolic links.`,
  right: 'read',
  input,
  title: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  async run({ pattern, path = '.' }, context) {
    const parsed = parseGlob(pattern);
    if (typeof parsed === 'string') throw new Refusal('failed', parsed);
    const place = await resolvePlace(path, context);
    const prefix = place.shown === '.' ? '' : `${place.shown}/`;
    const matches: string[] = [];
    let hasMore = false;
    const walked = await walk(place, {
      grounds: context,
      signal: context.signal,
      enter: parsed.names,
      onFile: (at) => {
        if (!parsed.matches(at)) return true;
        hasMore = matches.length >= GLOB_MATCHES;
        if (!hasMore) matches.push(prefix + at.join('/'));
        return !hasMore;
      },
    });
    const found = matches.length === 0 ? 'No file matches.' : matches.join('\n');
    return ok([found, ...notes(walked, matches.length, hasMore)].join('\n'));
  },
});

function notes(walked: Walked, matches: number, hasMore: boolean): string[] {
  const all: string[] = [];
  if (hasMore)
    all.push(`[There are more than ${GLOB_MATCHES} matches; these are the first. Narrow the pattern or the path.]`);
  else if (matches > 0) all.push(`[${count(matches, 'file')}.]`);
  if (walked.isCut) all.push(`[Stopped after ${WALK_ENTRIES} entries: there may be more. Name a path.]`);
  if (walked.unread > 0) {
    all.push(`[${count(walked.unread, 'directory', 'directories')} could not be read.]`);
  }
  if (walked.skipped.size > 0) all.push(`[Not entered: ${[...walked.skipped].sort().join(', ')}.]`);
  return all;
}
