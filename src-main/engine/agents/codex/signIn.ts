import { join } from 'node:path';
import type { SignIn } from '../../../../src-shared/agents.ts';
import type { SignInLook } from '../agent.ts';

/**
 * codex-cli 0.171 keeps its account in `$CODEX_HOME/auth.json`. A provider of the operator's own in `config.toml` may
 * need none, so without the file nothing is certain.
 */
export async function codexSignIn({ home, env, readText }: SignInLook): Promise<SignIn> {
  const directory = env.CODEX_HOME || join(home, '.codex');
  if ((await readText(join(directory, 'auth.json'))) !== null) {
    return { state: 'signed-in', detail: `It has an account in ${join(directory, 'auth.json')}.` };
  }
  if (env.CODEX_API_KEY) return { state: 'signed-in', detail: 'CODEX_API_KEY is set.' };
  const config = await readText(join(directory, 'config.toml'));
  if (config !== null && /^\s*model_provider\s*=/m.test(config)) {
    return {
      state: 'unknown',
      detail: `Its configuration names a provider of its own: ${join(directory, 'config.toml')}.`,
    };
  }
  return { state: 'not-signed-in', detail: `There is no ${join(directory, 'auth.json')}; “codex login” makes one.` };
}
