import type { ImageMime } from '../../../../src-shared/attachments.ts';
import { describeRefusal } from '../../../../src-shared/attachments.ts';
import { errorText } from '../../../../src-shared/failure.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../../src-shared/limits.ts';
import { inspectImage } from '../../images/index.ts';
import { dominantColours, type Palette } from './colours.ts';
import { decodeImage } from './decode.ts';
import { readRegularFile } from './files.ts';

/** What was found out about one attached image. */
export type Picture = { path: string; name: string } & (
  | {
      kind: 'opened';
      mime: ImageMime;
      bytes: number;
      width: number;
      height: number;
      palette: { kind: 'read'; palette: Palette } | { kind: 'not-read'; why: string };
    }
  | { kind: 'refused'; sentence: string }
);

/** Opens an image, reads its structure and decodes it. Every failure is part of the result. */
export async function openPicture(path: string, name: string): Promise<Picture> {
  const refused = (sentence: string): Picture => ({ path, name, kind: 'refused', sentence });
  let bytes: Buffer;
  try {
    bytes = (await readRegularFile(path, MAX_ATTACHMENT_BYTES + 1)).bytes;
  } catch (error) {
    return refused(`“${name}” could not be opened: ${errorText(error)}`);
  }
  const inspection = inspectImage(bytes);
  if (!inspection.ok) return refused(describeRefusal(name, inspection.why).sentence);
  const { mime, width, height } = inspection;
  const decoded = decodeImage(mime, bytes, width, height);
  const palette =
    decoded.kind === 'pixels'
      ? { kind: 'read' as const, palette: dominantColours(decoded.pixels) }
      : { kind: 'not-read' as const, why: decoded.why };
  return { path, name, kind: 'opened', mime, bytes: bytes.length, width, height, palette };
}
