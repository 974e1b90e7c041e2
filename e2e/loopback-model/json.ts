/** `value` as an object to look into; an empty one when it is not an object. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** `value` as a list; an empty one when it is not a list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The type and bytes of a base64 `data:` URL; `null` when it is not one. */
export function parseDataUrl(url: string): { mime: string; bytes: Buffer } | null {
  const match = /^data:([^;,]+);base64,/.exec(url);
  if (match === null) return null;
  return { mime: match[1] ?? '', bytes: Buffer.from(url.slice(match[0].length), 'base64') };
}
