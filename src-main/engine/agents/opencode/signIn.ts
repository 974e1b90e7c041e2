import { join } from 'node:path';
import type { SignIn } from '../../../../src-shared/agents.ts';
import type { SignInLook } from '../agent.ts';

/** opencode 1.18 keeps its accounts here, by provider. */
const ACCOUNTS = join('opencode', 'auth.json');

/**
 * Whether there is an account. Without one nothing is certain: opencode has models that need none, and takes a key from
 * the environment or the configuration of each of its many providers.
 */
export async function openCodeSignIn({ home, env, readText }: SignInLook): Promise<SignIn> {
  const path = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), ACCOUNTS);
  const accounts = accountsIn(await readText(path));
  if (accounts.length > 0)
    return { state: 'signed-in', detail: `It has accounts (${accounts.join(', ')}) in ${path}.` };
  if (env.OPENCODE_API_KEY) return { state: 'signed-in', detail: 'OPENCODE_API_KEY is set.' };
  return {
    state: 'unknown',
    detail: `There is no account in ${path}; “opencode auth login” makes one. Some models need none, and keys can come from its configuration.`,
  };
}

function accountsIn(text: string | null): string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? Object.keys(parsed) : [];
  } catch {
    // Not whole: then it is no account that opencode could use.
    return [];
  }
}
