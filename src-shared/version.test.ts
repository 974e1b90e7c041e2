import { describe, expect, it } from 'vitest';
import { compareVersions, describeVersion } from './version.ts';

describe('compareVersions', () => {
  it('goes by numbers, then by what comes before a release', () => {
    const ordered = ['0.9.0', '0.10.0-alpha.2', '0.10.0-alpha.10', '0.10.0-beta.1', '0.10.0', '0.10.1', '1.0', '1.0.1'];
    for (const [index, one] of ordered.entries()) {
      expect(compareVersions(one, one)).toBe(0);
      const next = ordered[index + 1];
      if (next === undefined) continue;
      expect(compareVersions(one, next)).toBeLessThan(0);
      expect(compareVersions(next, one)).toBeGreaterThan(0);
    }
  });

  it('knows what is no version', () => {
    for (const text of ['', 'nightly', '1', '1.2.3.4', 'codex-cli 0.171.0']) {
      expect(compareVersions(text, '1.0.0')).toBeNull();
    }
  });
});

describe('describeVersion', () => {
  it('says how a version stands to the tested one', () => {
    expect(describeVersion('2.1.197', '2.1.197')).toMatchObject({ isTested: true });
    expect(describeVersion('2.2.0', '2.1.197').sentence).toMatch(/^Newer than 2\.1\.197/);
    expect(describeVersion('2.1.9', '2.1.197').sentence).toMatch(/^Older than 2\.1\.197/);
    expect(describeVersion(null, '2.1.197').sentence).toContain('does not say its version');
  });
});
