import { basename } from 'node:path';
import { z } from 'zod';
import { describeRefusal, IMAGE_EXTENSIONS } from '../../../../src-shared/attachments.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../../src-shared/limits.ts';
import { inspectImage } from '../../images/index.ts';
import { openFile } from './anchor.ts';
import { resolvePlace } from './confine.ts';
import { defineTool } from './define.ts';
import { fileName } from './fileName.ts';
import { count, ok, Refusal, throwIfEnded } from './outcome.ts';

const input = z.strictObject({
  path: z.string().describe('The image, relative to the working directory or absolute.'),
});

export const viewImage = defineTool({
  name: 'view_image',
  description: 'Shows you an image file: PNG, JPEG, GIF or WebP.',
  right: 'read',
  input,
  title: ({ path }) => path,
  async run({ path }, context) {
    const place = await resolvePlace(path, context);
    const name = basename(place.real);
    const bytes = await readImage(place);
    const inspection = inspectImage(bytes);
    if (!inspection.ok) throw new Refusal('failed', describeRefusal(name, inspection.why).sentence);
    const { mime, width, height } = inspection;
    throwIfEnded(context.signal);
    // A copy: what the model is shown, in every later request too, is what was checked here.
    const copy = await context.saveArtifact(`${fileName(context.callId)}.${IMAGE_EXTENSIONS[mime]}`, { bytes });
    const text = `“${place.shown}”: ${mime}, ${width} × ${height} px, ${count(bytes.length, 'byte')}. The image is attached.`;
    return ok(text, [{ kind: 'image', mime, path: copy.path, name, bytes: bytes.length, width, height }]);
  },
});

async function readImage(place: Awaited<ReturnType<typeof resolvePlace>>): Promise<Buffer> {
  const { handle, stats } = await openFile(place);
  try {
    if (stats.size > MAX_ATTACHMENT_BYTES) {
      const why = { reason: 'too-large', bytes: Number(stats.size) } as const;
      throw new Refusal('failed', describeRefusal(place.shown, why).sentence);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
