import { z } from 'zod';
import { attachmentId, conversationId } from './ids.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_SIDE, MAX_ATTACHMENTS_PER_MESSAGE } from './limits.ts';

export const imageMime = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export type ImageMime = z.infer<typeof imageMime>;

export const IMAGE_EXTENSIONS: Readonly<Record<ImageMime, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** An image that the conversation owns a durable copy of. */
export const attachment = z.object({
  id: attachmentId,
  conversationId,
  /** As the operator knows it. Shown, never part of a path. */
  name: z.string(),
  mime: imageMime,
  bytes: z.number().int().positive(),
  /** Pixels, as the image is stored (before any orientation mark is applied). */
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Lower-case hexadecimal SHA-256 of the bytes. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Absolute path of the copy. */
  path: z.string(),
});
export type Attachment = z.infer<typeof attachment>;

/** Why an image was refused. Every reason has a sentence in {@link describeRefusal}. */
export const refusal = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('empty') }),
  z.object({ reason: z.literal('truncated'), mime: imageMime }),
  z.object({ reason: z.literal('unsupported'), what: z.string() }),
  z.object({ reason: z.literal('mislabelled'), declared: z.string(), found: z.string() }),
  z.object({ reason: z.literal('too-large'), bytes: z.number() }),
  z.object({ reason: z.literal('too-many-pixels'), width: z.number(), height: z.number() }),
  z.object({ reason: z.literal('too-many'), limit: z.number() }),
  z.object({ reason: z.literal('unreadable'), detail: z.string() }),
  z.object({ reason: z.literal('vanished') }),
]);
export type Refusal = z.infer<typeof refusal>;

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** One sentence that says what was refused and why, and one thing to do about it. */
export function describeRefusal(name: string, why: Refusal): { sentence: string; hint: string } {
  const subject = `“${name}”`;
  switch (why.reason) {
    case 'empty':
      return { sentence: `${subject} is empty (0 bytes).`, hint: 'Save the image again and drop that file.' };
    case 'truncated':
      return {
        sentence: `${subject} ends in the middle of the image, so its ${shortName(why.mime)} data is incomplete.`,
        hint: 'Download or export it again.',
      };
    case 'unsupported':
      return {
        sentence: `${subject} is ${why.what}; agents take PNG, JPEG, GIF and WebP images.`,
        hint: 'Export it as PNG, or take a screenshot of it.',
      };
    case 'mislabelled':
      return {
        sentence: `${subject} says it is ${why.declared}, but its bytes are ${why.found}.`,
        hint: 'Rename it to what it is, or export it again.',
      };
    case 'too-large':
      return {
        sentence: `${subject} has ${mebibytes(why.bytes)}; the limit is ${mebibytes(MAX_ATTACHMENT_BYTES)} for each image.`,
        hint: 'Save a smaller copy, for example as JPEG.',
      };
    case 'too-many-pixels':
      return {
        sentence: `${subject} is ${why.width} × ${why.height} px; the limit is ${MAX_ATTACHMENT_SIDE} px a side.`,
        hint: 'Scale it down or crop it.',
      };
    case 'too-many':
      return {
        sentence: `${subject} was not added: a message takes ${why.limit} images.`,
        hint: 'Send these first, or remove one.',
      };
    case 'unreadable':
      return { sentence: `${subject} could not be read: ${why.detail}.`, hint: 'Check its permissions and try again.' };
    case 'vanished':
      return {
        sentence: `${subject} was gone before it could be read.`,
        hint: 'Save it to a folder first, then drop it from there.',
      };
  }
}

function shortName(mime: ImageMime): string {
  return mime.slice('image/'.length).toUpperCase().replace('WEBP', 'WebP');
}

/** Whether one more image fits into a message that already has `count`. */
export function refuseCount(count: number): Refusal | null {
  return count >= MAX_ATTACHMENTS_PER_MESSAGE ? { reason: 'too-many', limit: MAX_ATTACHMENTS_PER_MESSAGE } : null;
}
