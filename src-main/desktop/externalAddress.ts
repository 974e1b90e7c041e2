const ALLOWED = new Set(['https:', 'mailto:']);
const MAX_SHOWN_LENGTH = 2_000;

/**
 * The address as the system will get it, which is what the operator is shown; `null` for one that is not opened: another
 * scheme, credentials within it, or longer than can be shown whole.
 */
export function externalAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!ALLOWED.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length > MAX_SHOWN_LENGTH ? null : url.href;
}
