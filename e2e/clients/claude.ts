import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ClaudeHomeOptions, makeClaudeHome, realClaude } from './claudeHome.ts';
import { test as base, installProgram, quote } from './codex.ts';

/** A Claude Code that can be found on PATH and asks the loopback model. */
export interface ClaudeSetting {
  readonly path: string;
  /** Where it keeps its sessions and settings. */
  readonly directory: string;
  /** The variables for whatever starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables with which it asks in another way. */
  asking(options: ClaudeHomeOptions): Readonly<Record<string, string>>;
}

/** The window's fixtures, the loopback model, and a real Claude Code that asks it. */
export const test = base.extend<{ claude: ClaudeSetting }>({
  claude: async ({ place, model }, use) => {
    const [bin, own, directory] = [join(place.root, 'bin'), join(place.root, 'home'), join(place.root, 'claude-home')];
    // Login shells read a profile: not this machine's.
    mkdirSync(own, { recursive: true });
    const path = installProgram(bin, 'claude', `#!/bin/sh\nexec ${quote(realClaude())} "$@"\n`);
    const asking = (options: ClaudeHomeOptions) => ({
      ...makeClaudeHome(directory, model.url, options),
      HOME: own,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    });
    await use({ path, directory, env: asking({}), asking });
  },
});

export { expect, type Place } from './codex.ts';
export { eventOf, eventsOf, type ParleyResult, runParley, startParley } from './headless.ts';
