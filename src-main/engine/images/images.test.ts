import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { describeRefusal, type Refusal } from '../../../src-shared/attachments.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_SIDE } from '../../../src-shared/limits.ts';
import { checkImage, inspectImage } from './index.ts';
import { SAMPLES } from './samples.ts';

const text = (value: string) => new TextEncoder().encode(value);
const bytesOf = (...values: number[]) => new Uint8Array(values);
const samples = Object.entries(SAMPLES);

function refusalOf(inspection: ReturnType<typeof inspectImage>): Refusal {
  if (inspection.ok) throw new Error('the image was accepted');
  return inspection.why;
}

/** `bytes` with `values` written over it from `at`. */
function patched(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
}

function offsetOf(bytes: Uint8Array, ascii: string): number {
  return Buffer.from(bytes).indexOf(ascii, 0, 'latin1');
}

describe('inspectImage', () => {
  it.each(samples)('reads format and size of %s', (_name, { bytes, mime, width, height }) => {
    expect(inspectImage(bytes)).toEqual({ ok: true, mime, width, height });
  });

  it.each(samples)('refuses %s cut at every byte', (_name, { bytes, mime }) => {
    for (let length = 0; length < bytes.length; length++) {
      const why = refusalOf(inspectImage(bytes.subarray(0, length)));
      // From 12 bytes on the format is known, and the reason is the true one.
      if (length >= 12) expect(why, `cut at ${length}`).toEqual({ reason: 'truncated', mime });
    }
  });

  it.each(samples)('takes %s with bytes after its end, as some programs write them', (_name, sample) => {
    const longer = new Uint8Array(sample.bytes.length + 7);
    longer.set(sample.bytes);
    expect(inspectImage(longer)).toMatchObject({ ok: true, width: sample.width, height: sample.height });
  });

  it.each(samples)('never throws on %s with any bytes changed', (_name, { bytes }) => {
    const change = fc.record({ at: fc.nat({ max: bytes.length - 1 }), value: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: bytes.length }),
        (changes, length) => {
          const mutated = Uint8Array.from(bytes);
          for (const { at, value } of changes) mutated[at] = value;
          const inspection = inspectImage(mutated.subarray(0, length));
          if (inspection.ok) {
            expect(inspection.width).toBeGreaterThan(0);
            expect(inspection.width).toBeLessThanOrEqual(MAX_ATTACHMENT_SIDE);
            expect(inspection.height).toBeGreaterThan(0);
            expect(inspection.height).toBeLessThanOrEqual(MAX_ATTACHMENT_SIDE);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never throws on arbitrary bytes, and gives every refusal its sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const why = refusalOf(inspectImage(bytes));
        expect(describeRefusal('x.bin', why).sentence).toContain('“x.bin”');
      }),
    );
  });

  it('refuses a PNG whose picture data was changed, which a length check alone lets through', () => {
    const { bytes } = SAMPLES.png;
    const at = offsetOf(bytes, 'IDAT') + 6;
    const changed = patched(bytes, at, [(bytes[at] ?? 0) ^ 0xff]);
    expect(refusalOf(inspectImage(changed))).toEqual({
      reason: 'unreadable',
      detail: 'the checksum of its IDAT chunk is wrong',
    });
  });

  it('skips a JPEG thumbnail in a segment: its end is not the end of the image', () => {
    const thumbnail = SAMPLES.jpeg.bytes;
    const { bytes } = SAMPLES.progressiveJpeg;
    const length = thumbnail.length + 2;
    const withThumbnail = Buffer.concat([
      bytes.subarray(0, 2),
      bytesOf(0xff, 0xe1, length >> 8, length & 0xff),
      thumbnail,
      bytes.subarray(2),
    ]);
    expect(inspectImage(withThumbnail)).toMatchObject({ ok: true, width: 9, height: 7 });
    expect(refusalOf(inspectImage(withThumbnail.subarray(0, -2)))).toMatchObject({ reason: 'truncated' });
  });

  it('reads a picture in a single large chunk as pngjs writes it', () => {
    const image = new PNG({ width: 640, height: 480 });
    image.data.fill(0x7f);
    expect(inspectImage(PNG.sync.write(image))).toEqual({ ok: true, mime: 'image/png', width: 640, height: 480 });
  });

  it.each<[string, Uint8Array, Refusal]>([
    ['nothing', bytesOf(), { reason: 'empty' }],
    ['a PNG without a picture', pngOf(1, 1, false), { reason: 'unreadable', detail: 'it has no picture data' }],
    ['a PNG of no width', pngOf(0, 5), { reason: 'unreadable', detail: 'it says that it is 0 × 5 px' }],
    ['a PNG too wide', pngOf(8_001, 1), { reason: 'too-many-pixels', width: 8_001, height: 1 }],
    ['a PNG too high', pngOf(1, 12_000), { reason: 'too-many-pixels', width: 1, height: 12_000 }],
    ['a GIF of no height', gifOf(3, 0), { reason: 'unreadable', detail: 'it says that it is 3 × 0 px' }],
    [
      'a GIF without a picture',
      text('GIF89a\x01\0\x01\0\0\0\0;'),
      { reason: 'unreadable', detail: 'it has no picture data' },
    ],
  ])('refuses %s', (_name, bytes, why) => {
    expect(inspectImage(bytes)).toEqual({ ok: false, why });
  });

  it('takes an image of exactly the largest side', () => {
    expect(inspectImage(pngOf(MAX_ATTACHMENT_SIDE, 1))).toMatchObject({ ok: true, width: MAX_ATTACHMENT_SIDE });
  });

  it('refuses one byte more than an image may have, before looking at it', () => {
    const bytes = new Uint8Array(MAX_ATTACHMENT_BYTES + 1);
    expect(inspectImage(bytes)).toEqual({ ok: false, why: { reason: 'too-large', bytes: bytes.length } });
  });

  it.each<[string, Uint8Array, string]>([
    ['HEIC', text('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'a HEIC image'],
    ['HEIF', text('\0\0\0\x18ftypmif1\0\0\0\0mif1heic'), 'a HEIC image'],
    ['AVIF', text('\0\0\0\x1cftypavif\0\0\0\0mif1miaf'), 'an AVIF image'],
    ['AVIF behind a general brand', text('\0\0\0\x1cftypmif1\0\0\0\0avifmiaf'), 'an AVIF image'],
    ['a film', text('\0\0\0\x18ftypisom\0\0\0\0isomavc1'), 'a video or audio file'],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'an SVG image'],
    [
      'SVG after a prologue',
      text('\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n<svg/>'.replace('<svg/>', '<svg >')),
      'an SVG image',
    ],
    ['PDF', text('%PDF-1.7\n'), 'a PDF document'],
    ['TIFF', bytesOf(0x49, 0x49, 0x2a, 0, 8, 0), 'a TIFF image'],
    ['BMP', text('BM\x9a\0\0\0'), 'a BMP image'],
    ['ICO', bytesOf(0, 0, 1, 0, 1, 0), 'a Windows icon (ICO)'],
    ['HTML', text('\n<!doctype html><title>Sign in</title>'), 'an HTML page'],
    ['ZIP', text('PK\x03\x04\x14'), 'a ZIP archive'],
    ['text', text('Hello.\nThis is a note.'), 'a text file'],
    ['UTF-16 text', new Uint8Array(Buffer.from('\uFEFFHello', 'utf16le')), 'a text file'],
    ['noise', bytesOf(1, 2, 3, 4, 5, 250), 'not an image that Parley knows'],
  ])('says what %s is', (_name, bytes, what) => {
    expect(inspectImage(bytes)).toEqual({ ok: false, why: { reason: 'unsupported', what } });
  });

  it('knows text by its beginning even when a character is cut in the middle', () => {
    const bytes = text(`${'x'.repeat(4095)}é and more`);
    expect(inspectImage(bytes)).toEqual({ ok: false, why: { reason: 'unsupported', what: 'a text file' } });
  });
});

describe('checkImage', () => {
  const { bytes } = SAMPLES.jpeg;
  const html = text('<!doctype html><p>not found</p>');

  it.each([
    ['photo.jpg', 'image/jpeg'],
    ['photo.JPEG', 'image/jpg'],
    ['photo.jfif', 'IMAGE/JPEG; q=1'],
    ['photo', ''],
    ['photo.2024', 'application/octet-stream'],
    ['.jpg', ''],
    ['image.constructor', 'toString'],
  ])('takes a JPEG named %s and declared as “%s”', (name, declaredType) => {
    expect(checkImage({ name, declaredType, bytes })).toMatchObject({ ok: true, mime: 'image/jpeg' });
  });

  it.each([
    ['a JPEG named as PNG', 'photo.png', '', bytes, 'a PNG image', 'a JPEG image'],
    ['a JPEG declared as WebP', 'photo', 'image/webp', bytes, 'a WebP image', 'a JPEG image'],
    ['a JPEG with a true name and a false type', 'photo.jpg', 'image/gif', bytes, 'a GIF image', 'a JPEG image'],
    ['a JPEG named as HEIC', 'photo.heic', '', bytes, 'a HEIC image', 'a JPEG image'],
    ['a web page named as PNG', 'photo.png', 'image/png', html, 'a PNG image', 'an HTML page'],
    ['noise declared as GIF', 'x', 'image/gif', bytesOf(0, 9, 9), 'a GIF image', 'not an image that Parley knows'],
  ])('refuses %s and names both', (_name, name, declaredType, offered, declared, found) => {
    expect(checkImage({ name, declaredType, bytes: offered })).toEqual({
      ok: false,
      why: { reason: 'mislabelled', declared, found },
    });
  });

  it('refuses honest files for what they are', () => {
    expect(checkImage({ name: 'page.html', declaredType: 'text/html', bytes: html })).toEqual({
      ok: false,
      why: { reason: 'unsupported', what: 'an HTML page' },
    });
    expect(checkImage({ name: 'x.png', declaredType: 'image/png', bytes: bytesOf() })).toEqual({
      ok: false,
      why: { reason: 'empty' },
    });
    expect(checkImage({ name: 'x.jpg', declaredType: '', bytes: bytes.subarray(0, -1) })).toEqual({
      ok: false,
      why: { reason: 'truncated', mime: 'image/jpeg' },
    });
  });

  it('says that a truncated image is mislabelled when it is: renaming comes first', () => {
    expect(checkImage({ name: 'x.png', declaredType: '', bytes: bytes.subarray(0, -1) })).toMatchObject({
      why: { reason: 'mislabelled' },
    });
  });

  it('never throws, whatever name, type and bytes are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array({ maxLength: 64 }), (name, declaredType, offered) => {
        expect(checkImage({ name, declaredType, bytes: offered }).ok).toBe(false);
      }),
    );
  });
});

/** A PNG written chunk by chunk, so that its header can claim anything. */
function pngOf(width: number, height: number, withData = true): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunks = [chunk('IHDR', header)];
  if (withData) chunks.push(chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))));
  chunks.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(checksum(body), body.length + 4);
  return frame;
}

/** CRC-32 bit by bit: slow, and independent of the table in the code under test. */
function checksum(body: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function gifOf(width: number, height: number): Uint8Array {
  const { bytes } = SAMPLES.gif;
  return patched(bytes, 6, [width & 0xff, width >> 8, height & 0xff, height >> 8]);
}
