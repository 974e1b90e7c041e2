import { join } from 'node:path';
import type { SignIn } from '../../../../src-shared/agents.ts';
import type { SignInLook } from '../agent.ts';

/** Variables that Claude Code 2.1.197 takes an account or a provider from. */
const VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];
/** In its settings: a program that makes a key, or one of the variables. */
const IN_SETTINGS = /"(?:apiKeyHelper|ANTHROPIC_\w+|CLAUDE_CODE_(?:OAUTH|USE)_\w+)"/;
/** In its state: who signed in, or a key that was accepted. */
const IN_STATE = /"(?:oauthAccount|primaryApiKey)"/;

/**
 * Claude Code 2.1.197 keeps its account in `.credentials.json` of its directory; on macOS in the system's keychain, with
 * the account's name in `.claude.json`.
 */
export async function claudeSignIn({ home, env, readText }: SignInLook): Promise<SignIn> {
  const variable = VARIABLES.find((name) => env[name]);
  if (variable !== undefined) return { state: 'signed-in', detail: `${variable} is set.` };
  const directory = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const credentials = join(directory, '.credentials.json');
  if ((await readText(credentials)) !== null) {
    return { state: 'signed-in', detail: `It has an account in ${credentials}.` };
  }
  const state = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
  const known = await readText(state);
  if (known !== null && IN_STATE.test(known)) {
    return { state: 'signed-in', detail: `${state} names an account.` };
  }
  const settings = join(directory, 'settings.json');
  if (IN_SETTINGS.test((await readText(settings)) ?? '')) {
    return { state: 'unknown', detail: `Its settings name a key or a provider of their own: ${settings}.` };
  }
  return { state: 'not-signed-in', detail: `There is no ${credentials}; “claude” and then “/login” makes one.` };
}
