import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a test may say about the provider; the defaults let Codex give up after one more try. */
export interface CodexHomeOptions {
  readonly model?: string;
  /** Tries after the first, of a request that was refused. */
  readonly requestRetries?: number;
  /** Tries after the first, of a reply that broke off. */
  readonly streamRetries?: number;
  /** Whether the provider wants an account, as OpenAI's own does; otherwise a key in {@link LOOPBACK_KEY}. */
  readonly wantsAccount?: boolean;
}

/** The variable in which Codex looks for the loopback model's key. */
export const LOOPBACK_KEY = 'LOOPBACK_KEY';

/**
 * Makes `directory` a CODEX_HOME whose model is the one that answers on `url`, and returns the variables that a child
 * needs. It should not lie below the system's temporary directory: codex-cli 0.171 warns about that on stderr.
 */
export function makeCodexHome(
  directory: string,
  url: string,
  options: CodexHomeOptions = {},
): { readonly CODEX_HOME: string; readonly [LOOPBACK_KEY]: string } {
  const { model = 'loopback-1', requestRetries = 1, streamRetries = 1, wantsAccount = false } = options;
  const config = [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "loopback"',
    // Nothing but the loopback model is to be asked anything.
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.loopback]',
    'name = "loopback"',
    `base_url = ${JSON.stringify(`${url}/v1`)}`,
    wantsAccount ? 'requires_openai_auth = true' : `env_key = ${JSON.stringify(LOOPBACK_KEY)}`,
    'wire_api = "responses"',
    `request_max_retries = ${requestRetries}`,
    `stream_max_retries = ${streamRetries}`,
  ];
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.toml'), `${config.join('\n')}\n`);
  return { CODEX_HOME: directory, [LOOPBACK_KEY]: 'loopback' };
}
