import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preferences } from '../../src-shared/preferences.ts';
import { droppedSecrets, type Keychain, openSecrets } from './secrets.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Seals by turning every bit: what is written is not what was said, and another key cannot open it. */
function keychain(key: number, fault: string | null = null): Keychain {
  const turned = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    fault: async () => fault,
    seal: async (text) => turned(Buffer.from(`sealed:${text}`)),
    open: async (sealed) => {
      const text = turned(sealed).toString('utf8');
      if (!text.startsWith('sealed:')) throw new Error('another key');
      return text.slice('sealed:'.length);
    },
  };
}
const NO_KEYCHAIN = 'There is no keychain here.';

describe('secrets with a keychain', () => {
  it('are there after a restart, sealed, and for their owner only', async () => {
    const first = openSecrets(directory, keychain(7));
    await Promise.all([first.set('codex', 'A', 'value-a'), first.set('guide', 'A', 'value-b')]);
    const path = join(directory, 'secrets.json');
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).not.toContain('value');
    expect(await readdir(directory)).toEqual(['secrets.json']);

    const second = openSecrets(directory, keychain(7));
    expect(await second.get('codex', 'A')).toBe('value-a');
    expect(await second.get('guide', 'A')).toBe('value-b');
    expect(await second.names('codex')).toEqual(['A']);
    expect((await second.storage()).kind).toBe('keychain');
  });

  it('can be replaced and forgotten', async () => {
    const secrets = openSecrets(directory, keychain(7));
    await secrets.set('codex', 'A', 'one');
    await secrets.set('codex', 'A', 'two');
    expect(await secrets.get('codex', 'A')).toBe('two');
    await secrets.set('codex', 'A', null);
    expect(await secrets.get('codex', 'A')).toBeNull();
    expect(await secrets.names('codex')).toEqual([]);
    expect(await openSecrets(directory, keychain(7)).get('codex', 'A')).toBeNull();
  });

  it('are missing, not wrong, when the key is another one', async () => {
    await openSecrets(directory, keychain(7)).set('codex', 'A', 'one');
    expect(await openSecrets(directory, keychain(8)).get('codex', 'A')).toBeNull();
  });

  it('are not taken from what an object has by itself', async () => {
    const secrets = openSecrets(directory, keychain(7));
    expect(await secrets.get('codex', 'constructor')).toBeNull();
    await secrets.set('codex', '__proto__', 'one');
    expect(await secrets.get('guide', '__proto__')).toBeNull();
  });

  it('are set aside when their file cannot be read', async () => {
    await writeFile(join(directory, 'secrets.json'), '{"schema": 1, "sea');
    const secrets = openSecrets(directory, keychain(7));
    expect(await secrets.names('codex')).toEqual([]);
    await secrets.set('codex', 'A', 'one');
    const files = (await readdir(directory)).sort();
    expect(files).toEqual(['secrets.json', expect.stringMatching(/^secrets\.json\.unreadable-\d+$/)]);
  });
});

describe('secrets without a keychain', () => {
  it('live until Parley ends, and nothing of them is written', async () => {
    const secrets = openSecrets(directory, keychain(7, NO_KEYCHAIN));
    await secrets.set('codex', 'A', 'one');
    expect(await secrets.get('codex', 'A')).toBe('one');
    expect(await secrets.names('codex')).toEqual(['A']);
    expect(await secrets.storage()).toEqual({ kind: 'session-only', detail: NO_KEYCHAIN });
    expect(await readdir(directory)).toEqual([]);
    expect(await openSecrets(directory, keychain(7, NO_KEYCHAIN)).get('codex', 'A')).toBeNull();
  });

  it('leave what an earlier keychain has sealed, and do not claim to have it', async () => {
    await openSecrets(directory, keychain(7)).set('codex', 'A', 'one');
    const without = openSecrets(directory, keychain(7, NO_KEYCHAIN));
    expect(await without.names('codex')).toEqual([]);
    expect(await without.get('codex', 'A')).toBeNull();
    await without.set('codex', 'B', 'two');
    expect(await openSecrets(directory, keychain(7)).get('codex', 'A')).toBe('one');
  });
});

describe('droppedSecrets', () => {
  it('names those that no setting names any more', () => {
    const secret = (name: string) => ({ name, value: null });
    const before = preferences.parse({
      environments: { codex: [secret('KEPT'), secret('GONE'), secret('PLAIN_NOW')], guide: [secret('KEPT')] },
    });
    const after = preferences.parse({
      environments: { codex: [secret('KEPT'), { name: 'PLAIN_NOW', value: 'x' }, secret('NEW')] },
    });
    const dropped = droppedSecrets(before, after);
    expect(dropped).toHaveLength(3);
    expect(dropped).toEqual(
      expect.arrayContaining([
        { scope: 'codex', name: 'GONE' },
        { scope: 'codex', name: 'PLAIN_NOW' },
        { scope: 'guide', name: 'KEPT' },
      ]),
    );
  });
});
