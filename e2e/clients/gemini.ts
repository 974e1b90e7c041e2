import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test as base, installProgram, quote } from './codex.ts';
import { type GeminiHomeOptions, makeGeminiHome, realGemini } from './geminiHome.ts';

/** A Gemini CLI that can be found on PATH and asks the loopback model. */
export interface GeminiSetting {
  readonly path: string;
  /** The variables for whatever starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes away every session that it has stored. */
  forget(): void;
}

/** The window's fixtures, the loopback model, and a real Gemini CLI that asks it. */
export const test = base.extend<{ gemini: GeminiSetting; geminiHome: GeminiHomeOptions }>({
  geminiHome: [{}, { option: true }],
  gemini: async ({ place, model, geminiHome }, use) => {
    const [bin, own, directory] = [join(place.root, 'bin'), join(place.root, 'home'), join(place.root, 'gemini-home')];
    // Login shells read a profile: not this machine's.
    mkdirSync(own, { recursive: true });
    const path = installProgram(bin, 'gemini', `#!/bin/sh\nexec ${quote(realGemini)} "$@"\n`);
    await use({
      path,
      env: {
        ...makeGeminiHome(directory, model.url, geminiHome),
        HOME: own,
        PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      },
      forget: () => rmSync(join(directory, '.gemini', 'tmp'), { recursive: true }),
    });
  },
});

export { expect, type Place } from './codex.ts';
export { eventOf, eventsOf, type ParleyResult, runParley, startParley } from './headless.ts';
