/** What a link in a message may be opened with, and nothing else. */
const OPENABLE: ReadonlySet<string> = new Set(['https:', 'mailto:']);
/** The contract's limit for an address. */
const MAX_ADDRESS_LENGTH = 8_000;

/** The address as it would be opened outside; `null` when it must not be. */
export function openableAddress(address: string | undefined): string | null {
  if (address === undefined || address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address)) return null;
  const url = new URL(address);
  return OPENABLE.has(url.protocol) ? url.href : null;
}
