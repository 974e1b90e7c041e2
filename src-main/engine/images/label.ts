/**
 * What a name or a declared type claims, in the words of a refusal. A claim that is not here claims nothing: agents
 * write `scan.2024` and pickers declare `application/octet-stream`.
 */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'a PNG image',
  apng: 'a PNG image',
  jpg: 'a JPEG image',
  jpeg: 'a JPEG image',
  jpe: 'a JPEG image',
  jfif: 'a JPEG image',
  gif: 'a GIF image',
  webp: 'a WebP image',
  heic: 'a HEIC image',
  heif: 'a HEIC image',
  avif: 'an AVIF image',
  svg: 'an SVG image',
  tif: 'a TIFF image',
  tiff: 'a TIFF image',
  bmp: 'a BMP image',
  ico: 'a Windows icon (ICO)',
  pdf: 'a PDF document',
  html: 'an HTML page',
  htm: 'an HTML page',
  txt: 'a text file',
  md: 'a text file',
  zip: 'a ZIP archive',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  'image/png': 'a PNG image',
  'image/x-png': 'a PNG image',
  'image/apng': 'a PNG image',
  'image/jpeg': 'a JPEG image',
  'image/jpg': 'a JPEG image',
  'image/pjpeg': 'a JPEG image',
  'image/gif': 'a GIF image',
  'image/webp': 'a WebP image',
  'image/heic': 'a HEIC image',
  'image/heif': 'a HEIC image',
  'image/avif': 'an AVIF image',
  'image/svg+xml': 'an SVG image',
  'image/tiff': 'a TIFF image',
  'image/bmp': 'a BMP image',
  'image/x-icon': 'a Windows icon (ICO)',
  'image/vnd.microsoft.icon': 'a Windows icon (ICO)',
  'application/pdf': 'a PDF document',
  'text/html': 'an HTML page',
  'text/plain': 'a text file',
  'application/zip': 'a ZIP archive',
};

/** What the extension of `name` claims; `null` when it has none or an unknown one. */
export function claimOfName(name: string): string | null {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension === undefined ? null : lookUp(BY_EXTENSION, extension);
}

/** What a media type claims, without its parameters; `null` when it is empty or unknown. */
export function claimOfType(declaredType: string): string | null {
  return lookUp(BY_TYPE, (declaredType.split(';')[0] ?? '').trim().toLowerCase());
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
