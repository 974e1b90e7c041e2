import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The real CLI, as installed for these tests. */
export const realOpenCode = resolve('e2e/clients/node_modules/.bin/opencode');

/** What a test may say about the operator's configuration. */
export interface OpenCodeHomeOptions {
  /** Put beside the loopback provider: `permission`, `agent`, … */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The model that the configuration names, as `PROVIDER/MODEL`. */
export const LOOPBACK_MODEL = 'loopback/loopback-1';

/** US dollars for a million tokens; what opencode reckons a turn's cost with. */
const COST = { input: 3, output: 15, cache_read: 0.3 };

/**
 * Makes `directory` a home of OpenCode whose model is the one that answers on `url`, and returns the variables that a
 * child needs.
 */
export function makeOpenCodeHome(
  directory: string,
  url: string,
  options: OpenCodeHomeOptions = {},
): Readonly<Record<string, string>> {
  const model = (name: string) => ({
    name,
    attachment: true,
    reasoning: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
    limit: { context: 200_000, output: 8_000 },
    cost: COST,
  });
  const config = {
    model: LOOPBACK_MODEL,
    autoupdate: false,
    // Of the directory, before and after each step: half of the time of a turn.
    snapshot: false,
    provider: {
      loopback: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Loopback',
        options: { baseURL: `${url}/v1`, apiKey: 'loopback' },
        models: { 'loopback-1': model('Loopback 1'), 'loopback-2': model('Loopback 2') },
      },
    },
    ...options.config,
  };
  mkdirSync(join(directory, 'config', 'opencode'), { recursive: true });
  writeFileSync(join(directory, 'config', 'opencode', 'opencode.json'), JSON.stringify(config));
  return {
    XDG_CONFIG_HOME: join(directory, 'config'),
    XDG_DATA_HOME: join(directory, 'data'),
    XDG_STATE_HOME: join(directory, 'state'),
    XDG_CACHE_HOME: join(directory, 'cache'),
    // Nothing but the loopback model is to be asked anything: neither for a list of models nor for a package.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    npm_config_offline: 'true',
  };
}
