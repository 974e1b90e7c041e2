import { expect, test } from 'vitest';
import { geminiSignIn } from './signIn.ts';

const stateWith = async (files: Record<string, string>, env: Record<string, string> = {}) => {
  const look = { home: '/home/o', env, readText: async (path: string) => files[path] ?? null };
  return (await geminiSignIn(look)).state;
};
const selected = (type: string) => JSON.stringify({ security: { auth: { selectedType: type } } });

test('a key signs in, from the environment or from a file of variables', async () => {
  expect(await stateWith({}, { GEMINI_API_KEY: 'k' })).toBe('signed-in');
  expect(await stateWith({ '/home/o/.gemini/.env': 'GEMINI_API_KEY=k\n' })).toBe('signed-in');
  expect(await stateWith({ '/home/o/.env': '# GEMINI_API_KEY=k\nGEMINI_API_KEY=\n' })).toBe('not-signed-in');
});

test('a Google account is where the CLI keeps it, or where nobody looks', async () => {
  const settings = { '/home/o/.gemini/settings.json': selected('oauth-personal') };
  expect(await stateWith({ ...settings, '/home/o/.gemini/oauth_creds.json': '{}' })).toBe('signed-in');
  expect(await stateWith(settings)).toBe('unknown');
});

test('its home can lie elsewhere', async () => {
  const files = {
    '/other/.gemini/settings.json': selected('oauth-personal'),
    '/other/.gemini/oauth_creds.json': '{}',
  };
  expect(await stateWith(files, { GEMINI_CLI_HOME: '/other' })).toBe('signed-in');
  expect(await stateWith(files)).toBe('not-signed-in');
});

test('what cannot be told is unknown', async () => {
  expect(await stateWith({ '/home/o/.gemini/settings.json': selected('vertex-ai') })).toBe('unknown');
  expect(await stateWith({}, { GOOGLE_GENAI_USE_VERTEXAI: 'true' })).toBe('unknown');
  expect(await stateWith({ '/home/o/.gemini/settings.json': '// not { JSON' })).toBe('not-signed-in');
});
