import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The CLI as `npm ci` in this directory installs it. */
export const realGemini = resolve('e2e/clients/node_modules/.bin/gemini');

/** What a test may say about the CLI's settings; the defaults let it give up after the first try. */
export interface GeminiHomeOptions {
  /** How it signs in; `null` leaves it open. */
  readonly selectedType?: string | null;
  /** Without a key in the environment. */
  readonly keyless?: boolean;
  /** Tries of a request, the first included. */
  readonly maxAttempts?: number;
  /** As an administrator may forbid it. */
  readonly disableYoloMode?: boolean;
}

/**
 * Makes `directory` a home of the Gemini CLI whose model is the one that answers on `url`, and returns the variables that
 * a child needs.
 */
export function makeGeminiHome(
  directory: string,
  url: string,
  options: GeminiHomeOptions = {},
): Readonly<Record<string, string>> {
  const { selectedType = 'gemini-api-key', keyless = false, maxAttempts = 1, disableYoloMode = false } = options;
  const settings = {
    security: { auth: selectedType === null ? {} : { selectedType }, disableYoloMode },
    general: { maxAttempts },
    // Nothing but the loopback model is to be told anything.
    privacy: { usageStatisticsEnabled: false },
  };
  const temporary = join(directory, 'tmp');
  for (const needed of [join(directory, '.gemini'), temporary]) mkdirSync(needed, { recursive: true });
  writeFileSync(join(directory, '.gemini', 'settings.json'), JSON.stringify(settings));
  return {
    GEMINI_CLI_HOME: directory,
    GOOGLE_GEMINI_BASE_URL: url,
    ...(keyless ? {} : { GEMINI_API_KEY: 'loopback' }),
    // It would start itself once more, with another limit for its memory.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    NO_BROWSER: 'true',
    // It warns of a terminal with few colours, and leaves reports of failed requests in the temporary directory.
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TMPDIR: temporary,
  };
}
