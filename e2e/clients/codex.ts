import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type LoopbackModel, startLoopbackModel } from '../loopback-model/index.ts';
import { test as base } from '../window/app.ts';
import { type CodexHomeOptions, makeCodexHome } from './codexHome.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const REAL_CODEX = join(ROOT, 'e2e', 'clients', 'node_modules', '.bin', 'codex');

/** The directories of one test. None lies below the system's temporary directory, which Codex may write. */
export interface Place {
  readonly root: string;
  /** The working directory of its conversations. */
  readonly cwd: string;
  /** A directory outside of it, with `sunset.png` in it. */
  readonly outside: string;
  readonly picture: string;
  /** What a Codex that was started in this place was given and printed, one directory for each start. */
  readonly tapes: string;
}

/** A Codex that can be found on PATH and asks the loopback model. */
export interface CodexSetting {
  readonly path: string;
  /** The variables for whatever starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes its configuration anew. */
  configure(options: CodexHomeOptions): void;
  /** Takes away every session that it has stored. */
  forget(): void;
  /** What the start number `index` (from 0) was given and printed. */
  tape(index: number): Tape;
}

export interface Tape {
  readonly stdin: Buffer;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

interface Fixtures {
  model: LoopbackModel;
  place: Place;
  codex: CodexSetting;
}

/** The window's fixtures, and beside them the loopback model and a real Codex that asks it. */
export const test = base.extend<Fixtures>({
  home: async ({ place }, use) => {
    await use(join(place.root, 'parley'));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names that a fixture uses from this pattern.
  place: async ({}, use, info) => {
    await use(makePlace(info.outputPath('place')));
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  model: async ({}, use) => {
    const model = await startLoopbackModel();
    await use(model);
    await model.close();
  },
  codex: async ({ place, model }, use) => {
    await use(installCodex(place, model));
  },
});

export { expect } from '../window/app.ts';
export { eventOf, type ParleyResult, runParley } from './headless.ts';

export function makePlace(root: string): Place {
  const [cwd, outside, tapes] = [join(root, 'work'), join(root, 'pictures'), join(root, 'tapes')];
  for (const directory of [cwd, outside, tapes]) mkdirSync(directory, { recursive: true });
  const picture = join(outside, 'sunset.png');
  copyFileSync(join(ROOT, 'e2e', 'clients', 'sunset.png'), picture);
  return { root, cwd, outside, picture, tapes };
}

/**
 * Puts a `codex` on PATH that hands everything on to the real one and keeps a copy of what went in and out, so that a
 * test can tell what Parley kept from what there was.
 */
function installCodex(place: Place, model: LoopbackModel): CodexSetting {
  const [bin, home, own] = [join(place.root, 'bin'), join(place.root, 'codex-home'), join(place.root, 'home')];
  // Login shells read a profile: not this machine's.
  mkdirSync(own, { recursive: true });
  const script = `#!/bin/bash
set -o pipefail
if [ "$1" = --version ]; then exec ${quote(REAL_CODEX)} --version; fi
tape=0
until mkdir ${quote(place.tapes)}/$tape 2>/dev/null; do tape=$((tape + 1)); done
cd ${quote(place.tapes)}/$tape
tee stdin | ( cd - >/dev/null; exec ${quote(REAL_CODEX)} "$@" 2> >(tee ${quote(place.tapes)}/$tape/stderr >&2) ) | tee stdout
`;
  const path = installProgram(bin, 'codex', script);
  const configure = (options: CodexHomeOptions) => makeCodexHome(home, model.url, options);
  const variables = configure({});
  return {
    path,
    env: { ...variables, HOME: own, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    configure: (options) => void configure(options),
    forget: () => rmSync(join(home, 'sessions'), { recursive: true }),
    tape(index) {
      const read = (name: string) => readFileSync(join(place.tapes, String(index), name));
      return { stdin: read('stdin'), stdout: read('stdout'), stderr: read('stderr') };
    },
  };
}

/** Writes an executable script and returns its path. */
export function installProgram(directory: string, name: string, script: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

/** As one word of a shell script. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
