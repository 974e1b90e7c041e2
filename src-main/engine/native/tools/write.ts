import { z } from 'zod';
import { fileKey, requireWritable, resolvePlace } from './confine.ts';
import { defineTool } from './define.ts';
import { MAX_WRITE_BYTES } from './limits.ts';
import { count, ok, Refusal } from './outcome.ts';
import { replaceFile } from './replace.ts';

const input = z.strictObject({
  path: z.string().describe('The file, relative to the working directory or absolute.'),
  content: z.string().describe('All of the new content; may be empty.'),
});

export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole file below the working directory: makes it, with the directories it needs, or replaces what is there.',
  right: 'edit',
  input,
  title: ({ path }) => path,
  exclusiveKey: ({ path }, { cwd }) => fileKey(path, cwd),
  async run({ path, content }, context) {
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > MAX_WRITE_BYTES) {
      throw new Refusal('failed', `The content has ${bytes.length} bytes; the limit is ${MAX_WRITE_BYTES}.`);
    }
    const place = await resolvePlace(path, context);
    requireWritable(place, context);
    const { existed } = await replaceFile({ place, bytes, signal: context.signal, readAs: null });
    return ok(`${existed ? 'Replaced' : 'Made'} “${place.shown}” (${count(bytes.length, 'byte')}).`);
  },
});
