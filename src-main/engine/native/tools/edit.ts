import type { BigIntStats } from 'node:fs';
import { z } from 'zod';
import { never } from '../../../../src-shared/failure.ts';
import { openFile } from './anchor.ts';
import { fileKey, type Place, requireWritable, resolvePlace } from './confine.ts';
import { defineTool } from './define.ts';
import { type Edit, editText } from './editText.ts';
import { MAX_EDIT_BYTES } from './limits.ts';
import { count, ok, Refusal } from './outcome.ts';
import { replaceFile } from './replace.ts';

/** Lines that are named when there are many. */
const NAMED_LINES = 10;

const input = z.strictObject({
  path: z.string().describe('The file, relative to the working directory or absolute.'),
  old_string: z.string().min(1).describe('The text to replace, exactly as it is in the file, without line numbers.'),
  new_string: z.string().describe('What is put in its place; may be empty.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence. Otherwise there must be exactly one.'),
});

export const edit = defineTool({
  name: 'edit',
  description:
    'Replaces an exact text in a UTF-8 file below the working directory. The text must occur exactly once, unless replace_all is true. Line ends (LF or CR LF) and a byte order mark stay as they are.',
  right: 'edit',
  input,
  title: ({ path }) => path,
  exclusiveKey: ({ path }, { cwd }) => fileKey(path, cwd),
  async run({ path, old_string, new_string, replace_all }, context) {
    const place = await resolvePlace(path, context);
    requireWritable(place, context);
    const { text, stats } = await readWhole(place);
    const wanted = { oldText: old_string, newText: new_string, replaceAll: replace_all === true };
    const { edited, lines } = applyEdit(text, wanted, place);
    const bytes = Buffer.from(edited, 'utf8');
    if (bytes.length > MAX_EDIT_BYTES) throw tooLarge(place, bytes.length);
    await replaceFile({ place, bytes, signal: context.signal, readAs: stats });
    return ok(`Replaced ${count(lines.length, 'occurrence')} in “${place.shown}” (${nameLines(lines)}).`);
  },
});

async function readWhole(place: Place): Promise<{ text: string; stats: BigIntStats }> {
  const { handle, stats } = await openFile(place);
  try {
    if (stats.size > MAX_EDIT_BYTES) throw tooLarge(place, Number(stats.size));
    const bytes = await handle.readFile();
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), stats };
  } catch (error) {
    if (error instanceof TypeError) {
      throw new Refusal('failed', `“${place.shown}” is not UTF-8 text; edit would damage it.`, { cause: error });
    }
    throw error;
  } finally {
    await handle.close();
  }
}

function applyEdit(text: string, wanted: Edit, place: Place): { edited: string; lines: number[] } {
  const result = editText(text, wanted);
  switch (result.kind) {
    case 'done':
      return { edited: result.text, lines: result.lines };
    case 'not-found':
      throw new Refusal(
        'failed',
        `old_string does not occur in “${place.shown}”; nothing was changed. It must match character for character, blanks included: read the file again.`,
      );
    case 'several':
      throw new Refusal(
        'failed',
        `old_string occurs more than once in “${place.shown}” (${nameLines(result.lines)}); nothing was changed. Give more of the text around it, or set replace_all.`,
      );
    case 'same':
      throw new Refusal('failed', 'old_string and new_string are the same; nothing was changed.');
    default:
      return never(result);
  }
}

function nameLines(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED_LINES).join(', ');
  const more = lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more}`;
}

function tooLarge(place: Place, bytes: number): Refusal {
  return new Refusal('failed', `“${place.shown}” has ${bytes} bytes; edit takes at most ${MAX_EDIT_BYTES}.`);
}
