import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { AgentId, AgentStatus, SignIn } from '../../../src-shared/agents.ts';
import type { CallOutput } from '../../../src-shared/api.ts';
import type { CommandDefinition } from '../../../src-shared/commandDefinition.ts';
import { AGENTS, type Agent, type Executable } from '../agents/index.ts';
import {
  askLoginShell,
  askVersion,
  findExecutable,
  joinPaths,
  knownDirectories,
  type Lookup,
} from '../process/index.ts';

/** An agent's own configuration that is looked into; a larger file is no configuration. */
const MAX_CONFIGURATION_BYTES = 1024 * 1024;

export interface FinderOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where the scripts of embedded agents lie. */
  readonly scriptsDirectory: string;
  /** Whether PATH is the desktop's, so that the login shell has to be asked for the operator's. */
  readonly askLoginShell: boolean;
  /** Executables that the operator named. */
  executables(): Partial<Record<AgentId, string>>;
}

export type Resolution = { kind: 'found'; executable: Executable } | { kind: 'not-found'; searched: string[] };

/** Finds the agents on this machine: where the operator said, on the login shell's PATH, in known directories. */
export class AgentFinder {
  #path: Promise<string> | null = null;
  readonly #versions = new Map<string, Promise<string | null>>();
  #loginShell: CallOutput<'listAgents'>['search']['loginShell'] = 'not-asked';

  constructor(private readonly options: FinderOptions) {}

  /** The PATH that is searched, and that children get. Asked once; `refresh` asks anew. */
  path(refresh = false): Promise<string> {
    if (refresh || this.#path === null) this.#path = this.#askPath();
    return this.#path;
  }

  /** What is searched, in order. */
  async search(): Promise<CallOutput<'listAgents'>['search']> {
    const path = (await this.path()).split(delimiter);
    return { path, loginShell: this.#loginShell };
  }

  async resolve(agent: Agent, _definition: CommandDefinition | null): Promise<Resolution> {
    if (agent.executable.kind === 'embedded')
      return { kind: 'found', executable: this.#embedded(agent.executable.script) };
    const lookup = await this.#lookUp(agent.id, agent.executable.name);
    if (lookup.kind === 'not-found') return lookup;
    return { kind: 'found', executable: { program: lookup.path, args: [], env: {} } };
  }

  async statuses(refresh: boolean): Promise<AgentStatus[]> {
    if (refresh) this.#versions.clear();
    await this.path(refresh);
    return Promise.all(AGENTS.map((agent) => this.#status(agent)));
  }

  async #status(agent: Agent): Promise<AgentStatus> {
    const { id, label, letter, hue, description, capabilities, install, testedVersion } = agent;
    return {
      id,
      label,
      letter,
      hue,
      description,
      capabilities,
      install: { ...install },
      testedVersion,
      availability: await this.#availability(agent),
    };
  }

  async #availability(agent: Agent): Promise<AgentStatus['availability']> {
    if (agent.executable.kind === 'embedded') {
      return {
        kind: 'found',
        path: join(this.options.scriptsDirectory, agent.executable.script),
        version: agent.testedVersion,
        signIn: await this.#signIn(agent),
      };
    }
    const lookup = await this.#lookUp(agent.id, agent.executable.name);
    if (lookup.kind === 'not-found') return lookup;
    const [version, signIn] = await Promise.all([
      this.#version(lookup.path, agent.executable.versionArgs),
      this.#signIn(agent),
    ]);
    return { ...lookup, version, signIn };
  }

  #signIn(agent: Agent): Promise<SignIn> {
    const { env } = this.options;
    return agent.signIn({ home: env.HOME ?? homedir(), env, readText: readSmallFile });
  }

  async #version(path: string, args: readonly string[]): Promise<string | null> {
    const known = this.#versions.get(path);
    if (known !== undefined) return known;
    const env = { ...this.options.env, PATH: await this.path() };
    const asked = askVersion(path, args, definedOnly(env));
    this.#versions.set(path, asked);
    return asked;
  }

  async #lookUp(id: AgentId, name: string): Promise<Lookup> {
    const named = this.options.executables()[id];
    if (named !== undefined && named !== '') {
      return isAbsolute(named) ? findExecutable(named, '') : { kind: 'not-found', searched: [named] };
    }
    return findExecutable(name, await this.path());
  }

  #embedded(script: string): Executable {
    const inElectron = process.versions.electron !== undefined;
    return {
      program: process.execPath,
      args: [join(this.options.scriptsDirectory, script)],
      env: inElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    };
  }

  async #askPath(): Promise<string> {
    const { env } = this.options;
    const asked = this.options.askLoginShell ? await askLoginShell(env) : null;
    this.#loginShell = !this.options.askLoginShell ? 'not-asked' : asked === null ? 'no-answer' : 'asked';
    return joinPaths(asked, env.PATH, knownDirectories(env.HOME ?? homedir()).join(delimiter));
  }
}

/** The text of a file of an agent's own configuration; `null` when there is none that can be read. */
async function readSmallFile(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    return size > MAX_CONFIGURATION_BYTES ? null : await readFile(path, 'utf8');
  } catch {
    // Not there, or not ours to read: both mean that nothing can be told from it.
    return null;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
