import { join } from 'node:path';
import type { SignIn } from '../../../../src-shared/agents.ts';
import type { SignInLook } from '../agent.ts';

const SELECTED = /"selectedType"\s*:\s*"([^"]+)"/;
const KEY_IN_FILE = /^\s*(?:export\s+)?GEMINI_API_KEY\s*=\s*\S/m;

/**
 * gemini-cli 0.61 keeps how it signs in in `settings.json`, and a Google account in `oauth_creds.json` beside it or in the
 * system's keychain, which is not looked into. A key comes from the environment or from a file of variables.
 */
export async function geminiSignIn({ home, env, readText }: SignInLook): Promise<SignIn> {
  const directory = join(env.GEMINI_CLI_HOME || home, '.gemini');
  const settings = join(directory, 'settings.json');
  const method = SELECTED.exec((await readText(settings)) ?? '')?.[1] ?? null;
  if (method === 'oauth-personal') {
    const account = join(directory, 'oauth_creds.json');
    return (await readText(account)) === null
      ? { state: 'unknown', detail: 'It signs in with a Google account, which may be in the system’s keychain.' }
      : { state: 'signed-in', detail: `It has an account in ${account}.` };
  }
  for (const name of ['GEMINI_API_KEY', 'GOOGLE_API_KEY']) {
    if (env[name]) return { state: 'signed-in', detail: `${name} is set.` };
  }
  for (const file of [join(directory, '.env'), join(home, '.env')]) {
    if (KEY_IN_FILE.test((await readText(file)) ?? '')) {
      return { state: 'signed-in', detail: `GEMINI_API_KEY is set in ${file}.` };
    }
  }
  if (method !== null) return { state: 'unknown', detail: `It signs in with “${method}”, says ${settings}.` };
  if (env.GOOGLE_GENAI_USE_VERTEXAI || env.GOOGLE_GENAI_USE_GCA) {
    return { state: 'unknown', detail: 'The environment says that it signs in with Google Cloud.' };
  }
  return { state: 'not-signed-in', detail: `There is no GEMINI_API_KEY, and ${settings} names no way to sign in.` };
}
