import type { ImageMime, Refusal } from '../../../src-shared/attachments.ts';
import { never } from '../../../src-shared/failure.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_SIDE } from '../../../src-shared/limits.ts';
import { walkGif } from './gif.ts';
import { walkJpeg } from './jpeg.ts';
import { IMAGE_WORDS, kindOf } from './kind.ts';
import { claimOfName, claimOfType } from './label.ts';
import { walkPng } from './png.ts';
import type { Verdict } from './verdict.ts';
import { walkWebp } from './webp.ts';

export type Inspection =
  | {
      ok: true;
      mime: ImageMime;
      /** Pixels, as stored. */
      width: number;
      height: number;
    }
  | { ok: false; why: Refusal };

/** A file as it was handed over: what it calls itself, and what it is. */
export interface OfferedImage {
  name: string;
  /** The type that the source declared; empty when it declared none. */
  declaredType: string;
  bytes: Uint8Array;
}

const WORDS_OF_IMAGES: ReadonlySet<string> = new Set(Object.values(IMAGE_WORDS));

const refuse = (why: Refusal): Inspection => ({ ok: false, why });

/**
 * Decides by the bytes alone whether this is a whole image that agents take. Walks the file's structure to its end
 * without decoding the picture; never throws.
 */
export function inspectImage(bytes: Uint8Array): Inspection {
  if (bytes.length === 0) return refuse({ reason: 'empty' });
  if (bytes.length > MAX_ATTACHMENT_BYTES) return refuse({ reason: 'too-large', bytes: bytes.length });
  const kind = kindOf(bytes);
  if (!kind.supported) return refuse({ reason: 'unsupported', what: kind.what });
  return judge(kind.mime, walk(kind.mime, bytes));
}

/** {@link inspectImage}, and whether the name and the declared type tell the truth. */
export function checkImage({ name, declaredType, bytes }: OfferedImage): Inspection {
  const inspection = inspectImage(bytes);
  if (!inspection.ok && (inspection.why.reason === 'empty' || inspection.why.reason === 'too-large')) return inspection;
  const kind = kindOf(bytes);
  const found = kind.supported ? IMAGE_WORDS[kind.mime] : kind.what;
  // A PDF named .txt is refused for what it is; one named .png for saying that it is an image.
  const isLie = (claim: string | null): claim is string =>
    claim !== null && claim !== found && (kind.supported || WORDS_OF_IMAGES.has(claim));
  const declared = [claimOfName(name), claimOfType(declaredType)].find(isLie);
  return declared === undefined ? inspection : refuse({ reason: 'mislabelled', declared, found });
}

function walk(mime: ImageMime, bytes: Uint8Array): Verdict {
  switch (mime) {
    case 'image/png':
      return walkPng(bytes);
    case 'image/jpeg':
      return walkJpeg(bytes);
    case 'image/gif':
      return walkGif(bytes);
    case 'image/webp':
      return walkWebp(bytes);
    default:
      return never(mime);
  }
}

function judge(mime: ImageMime, verdict: Verdict): Inspection {
  switch (verdict.kind) {
    case 'truncated':
      return refuse({ reason: 'truncated', mime });
    case 'damaged':
      return refuse({ reason: 'unreadable', detail: verdict.detail });
    case 'foreign':
      return refuse({ reason: 'unsupported', what: verdict.what });
    case 'complete': {
      const { width, height } = verdict;
      if (width === 0 || height === 0) {
        return refuse({ reason: 'unreadable', detail: `it says that it is ${width} × ${height} px` });
      }
      if (width > MAX_ATTACHMENT_SIDE || height > MAX_ATTACHMENT_SIDE) {
        return refuse({ reason: 'too-many-pixels', width, height });
      }
      return { ok: true, mime, width, height };
    }
    default:
      return never(verdict);
  }
}
