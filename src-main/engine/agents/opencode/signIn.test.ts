import { expect, test } from 'vitest';
import { openCodeSignIn } from './signIn.ts';

const look = (files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
  openCodeSignIn({ home: '/home/o', env, readText: async (path) => files[path] ?? null });

const DEFAULT = '/home/o/.local/share/opencode/auth.json';

test('an account is one, wherever the data directory lies; its key is not told', async () => {
  const accounts = JSON.stringify({ anthropic: { type: 'api', key: 'the key' } });
  for (const result of [
    await look({ [DEFAULT]: accounts }),
    await look({ '/d/opencode/auth.json': accounts }, { XDG_DATA_HOME: '/d' }),
  ]) {
    expect(result.state).toBe('signed-in');
    expect(result.detail).toContain('anthropic');
    expect(result.detail).not.toContain('the key');
  }
});

test('a key in the environment is an account', async () => {
  expect((await look({}, { OPENCODE_API_KEY: 'x' })).state).toBe('signed-in');
});

test.each(['{}', '[]', '{"broken', 'null'])(
  'with %s for accounts nothing is certain, since some models need none',
  async (text) => {
    expect((await look({ [DEFAULT]: text })).state).toBe('unknown');
    expect((await look({})).state).toBe('unknown');
  },
);
