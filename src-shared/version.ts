const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+](.+))?$/;

/**
 * How one version stands to another: negative when it is older, `null` when one of them is no version. A pre-release is
 * older than its release, and two of them are compared as words.
 */
export function compareVersions(one: string, other: string): number | null {
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)];
  if (a === null || b === null) return null;
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part] ?? 0) - Number(b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  const [early, otherEarly] = [a[4] ?? '', b[4] ?? ''];
  if (early === otherEarly) return 0;
  if (early === '' || otherEarly === '') return early === '' ? 1 : -1;
  return early.localeCompare(otherEarly, 'en', { numeric: true });
}

/** How the version of an agent that was found stands to the newest that Parley was tested with, in a sentence. */
export function describeVersion(found: string | null, tested: string): { isTested: boolean; sentence: string } {
  if (found === null) {
    return { isTested: false, sentence: `It does not say its version; Parley was tested with ${tested}.` };
  }
  const difference = compareVersions(found, tested);
  if (difference === 0) return { isTested: true, sentence: 'The version that Parley was tested with.' };
  if (difference === null) {
    return { isTested: false, sentence: `Not ${tested}, the version that Parley was tested with.` };
  }
  const order = difference > 0 ? 'Newer' : 'Older';
  const sentence = `${order} than ${tested}, the version that Parley was tested with: what it prints may be read differently.`;
  return { isTested: false, sentence };
}
