import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test as base, installProgram, quote } from './codex.ts';
import { makeOpenCodeHome, type OpenCodeHomeOptions, realOpenCode } from './openCodeHome.ts';

/** An OpenCode that can be found on PATH and asks the loopback model. */
export interface OpenCodeSetting {
  readonly path: string;
  /** The variables for whatever starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes the operator's configuration anew. */
  configure(options: OpenCodeHomeOptions): void;
  /** Takes away every session that it has stored. */
  forget(): void;
}

/** The window's fixtures, the loopback model, and a real OpenCode that asks it. */
export const test = base.extend<{ opencode: OpenCodeSetting }>({
  opencode: async ({ place, model }, use) => {
    const [bin, own, directory] = [
      join(place.root, 'bin'),
      join(place.root, 'home'),
      join(place.root, 'opencode-home'),
    ];
    // Login shells read a profile: not this machine's.
    mkdirSync(own, { recursive: true });
    const path = installProgram(bin, 'opencode', `#!/bin/sh\nexec ${quote(realOpenCode)} "$@"\n`);
    const configure = (options: OpenCodeHomeOptions) => makeOpenCodeHome(directory, model.url, options);
    await use({
      path,
      env: { ...configure({}), HOME: own, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
      configure: (options) => void configure(options),
      forget: () => rmSync(join(directory, 'data'), { recursive: true }),
    });
  },
});

/** What OpenCode prints, its log included, when it is run by hand, without Parley. */
export function runBare({ path, env }: OpenCodeSetting, cwd: string, prompt: string): Promise<string> {
  return new Promise((done, failed) => {
    const args = ['run', '--format=json', '--print-logs', '--log-level=ERROR', `--dir=${cwd}`];
    const child = spawn(path, args, { cwd, env: { ...process.env, ...env } });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    child.on('error', failed);
    child.on('close', () => done(printed));
    child.stdin.end(prompt);
  });
}

export { expect, type Place } from './codex.ts';
export { eventOf, eventsOf, type ParleyResult, runParley, startParley } from './headless.ts';
