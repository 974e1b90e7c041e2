import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';

/** For the runtime to say where it can be driven. */
const LAUNCH_TIMEOUT_MS = 20_000;
/** Starts of the runtime, the first included. */
const LAUNCH_ATTEMPTS = 3;

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export interface LaunchOptions {
  /** The data directory (`PARLEY_HOME`). */
  home: string;
  /** On top of this process's environment; `undefined` takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** On top of what the machine needs. */
  args?: readonly string[];
}

export interface LaunchedApp {
  app: ElectronApplication;
  page: Page;
  /** Ends the application the way the operator does, and waits until its process is gone. */
  close(): Promise<void>;
  /** Ends the main process at once, as a crash or the system would. */
  kill(): Promise<void>;
  /** What the main process printed so far. */
  output(): string;
}

let electron: Promise<string> | undefined;

/** The Electron that `scripts/electron.mjs` finds, asked once in each worker. */
export function electronPath(): Promise<string> {
  electron ??= promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts', 'electron.mjs')]).then(({ stdout }) =>
    stdout.trim(),
  );
  return electron;
}

/** The switches that Chromium needs here: as root it refuses its own sandbox. */
export function chromiumSwitches(): string[] {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

type StartOptions = Parameters<typeof _electron.launch>[0];

/**
 * Starts the runtime, again if it must: a start of the development runtime hangs now and then on a busy machine before it
 * has told Playwright where it can be driven. Each such start is told, with what the runtime printed.
 */
async function start(options: StartOptions): Promise<ElectronApplication> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await _electron.launch(options);
    } catch (error) {
      if (attempt === LAUNCH_ATTEMPTS) throw error;
      console.warn(`The runtime did not start and is started once more: ${error}`);
    }
  }
}

/** Starts the built application on a data directory and waits for its page. */
export async function launchApp({ home, env = {}, args = [] }: LaunchOptions): Promise<LaunchedApp> {
  const merged: Record<string, string> = {};
  // Without SHELL no login shell is asked for its PATH: this machine's start-up files are no part of a test.
  for (const [name, value] of Object.entries({ ...process.env, SHELL: undefined, ...env, PARLEY_HOME: home })) {
    if (value !== undefined) merged[name] = value;
  }
  const app = await start({
    executablePath: await electronPath(),
    args: [...chromiumSwitches(), ...args, ROOT],
    env: merged,
    cwd: ROOT,
    timeout: LAUNCH_TIMEOUT_MS,
    // The window's own theme, not one that Playwright pretends.
    colorScheme: null,
  });
  const main: ChildProcess = app.process();
  const gone = main.exitCode === null && main.signalCode === null ? once(main, 'exit') : Promise.resolve();
  const printed: string[] = [];
  for (const stream of [main.stdout, main.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  }
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  return {
    app,
    page,
    output: () => printed.join(''),
    async close() {
      await app.close();
      await gone;
    },
    async kill() {
      main.kill('SIGKILL');
      await gone;
    },
  };
}

/** Chromium keeps the socket of its single-instance lock in the system's temporary directory; killed, it leaves it there. */
async function removeSingletonSocket(home: string): Promise<void> {
  const socket = await readlink(path.join(home, 'electron', 'SingletonSocket')).catch(() => null);
  if (socket === null) return;
  const directory = path.dirname(socket);
  if (path.basename(directory).startsWith('scoped_dir')) await rm(directory, { recursive: true, force: true });
}

interface Fixtures {
  /** A data directory of its own for each test, removed afterwards. */
  home: string;
  /** Starts the application on `home`; whatever still runs at the end of the test is ended. */
  launch: (options?: Partial<LaunchOptions>) => Promise<LaunchedApp>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names that a fixture uses from this pattern.
  home: async ({}, use) => {
    const home = await mkdtemp(path.join(tmpdir(), 'parley-home-'));
    await use(home);
    await removeSingletonSocket(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  launch: async ({ home }, use, info) => {
    const launched: LaunchedApp[] = [];
    await use(async (options = {}) => {
      const one = await launchApp({ home, ...options });
      launched.push(one);
      return one;
    });
    for (const one of launched) {
      if (info.status !== info.expectedStatus) await info.attach('main process', { body: one.output() });
      await one.kill();
    }
  },
});

export { expect } from '@playwright/test';
