import { delimiter } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallOutput } from '../../../src-shared/api.ts';
import { askLoginShell, joinPaths, knownDirectories, LOGIN_SHELL_PATIENCE_MS } from '../process/index.ts';

type Search = CallOutput<'listAgents'>['search'];

export interface SearchPathOptions {
  /** The operator's, without what Parley's own runtime has set. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether PATH is the desktop's, so that the login shell has to be asked for the operator's. */
  readonly askLoginShell: boolean;
  readonly patienceMs?: number;
}

/**
 * The directories that are searched for executables, and that children get as PATH: the login shell's, then those of
 * Parley's own PATH, then known ones. A shell that takes long is waited for once and only so long; what it says later
 * holds from then on.
 */
export class SearchPath {
  #path: Promise<string> | null = null;
  #asking: AbortController | null = null;
  /** What the login shell said last. */
  #told: string | null = null;
  #loginShell: Search['loginShell'] = 'not-asked';

  constructor(private readonly options: SearchPathOptions) {}

  /** Asks once; `refresh` asks anew. */
  path(refresh = false): Promise<string> {
    if (refresh || this.#path === null) this.#path = this.#find();
    return this.#path;
  }

  /** What is searched, in order, and how far the login shell had a part in it. */
  async search(): Promise<Search> {
    const path = (await this.path()).split(delimiter);
    return { path, loginShell: this.#loginShell, shell: this.options.env.SHELL ?? null };
  }

  /** What a turn that runs now should say of its PATH; `null` when it is what the operator's shell has. */
  get warning(): string | null {
    if (this.#told !== null || this.#loginShell === 'not-asked') return null;
    const shell = this.options.env.SHELL ?? '';
    return this.#loginShell === 'waiting'
      ? `The login shell ${shell} has not said its PATH yet; this run goes on without it.`
      : `The login shell ${shell} did not say its PATH; this run goes on without it.`;
  }

  /** Listens to no shell any more. */
  close(): void {
    this.#asking?.abort();
    this.#asking = null;
  }

  async #find(): Promise<string> {
    const { env, patienceMs = LOGIN_SHELL_PATIENCE_MS } = this.options;
    if (this.options.askLoginShell && env.SHELL && process.platform !== 'win32') {
      this.#asking?.abort();
      const asking = new AbortController();
      this.#asking = asking;
      this.#loginShell = 'waiting';
      const answered = askLoginShell(env, { signal: asking.signal }).then((told) => this.#take(asking, told));
      const waiting = new AbortController();
      const patience = delay(patienceMs, undefined, { signal: waiting.signal }).catch(() => {
        // The shell has answered.
      });
      await Promise.race([answered, patience]);
      waiting.abort();
    }
    return this.#join();
  }

  /** Takes an answer, however late; one to a question that was asked anew since is nobody's. */
  #take(asking: AbortController, told: string | null): void {
    if (this.#asking !== asking) return;
    this.#asking = null;
    this.#loginShell = told === null ? 'no-answer' : 'asked';
    // A shell that fails for once does not take away what it said before.
    if (told !== null) this.#told = told;
    this.#path = this.#join();
  }

  async #join(): Promise<string> {
    const { env } = this.options;
    const known = await knownDirectories(env, env.HOME);
    return joinPaths(this.#told, env.PATH, ...known);
  }
}
