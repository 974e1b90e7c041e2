import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { AgentId, AgentStatus, SignIn } from '../../../src-shared/agents.ts';
import type { CallOutput } from '../../../src-shared/api.ts';
import type { CommandDefinition } from '../../../src-shared/commandDefinition.ts';
import { AGENTS, type Agent, type Executable } from '../agents/index.ts';
import { askVersion, findExecutable, type Lookup, operatorEnvironment } from '../process/index.ts';
import { SearchPath } from './searchPath.ts';
import type { AgentEnvironment } from './settings.ts';

/** An agent's own configuration that is looked into; a larger file is no configuration. */
const MAX_CONFIGURATION_BYTES = 1024 * 1024;

/** In the place of a version that has not been said yet. */
const ASKING = Symbol('asking');

export interface FinderOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where the scripts of embedded agents lie. */
  readonly scriptsDirectory: string;
  /** Whether PATH is the desktop's, so that the login shell has to be asked for the operator's. */
  readonly askLoginShell: boolean;
  /** Executables that the operator named. */
  executables(): Partial<Record<AgentId, string>>;
  /** What the operator gives the children of an agent. */
  environment(agent: AgentId): Promise<AgentEnvironment>;
  /** How long the login shell is waited for, ms. */
  readonly patienceMs?: number;
}

export type Resolution = { kind: 'found'; executable: Executable } | { kind: 'not-found'; searched: string[] };

/** Finds the agents on this machine: where the operator said, on the login shell's PATH, in known directories. */
export class AgentFinder {
  readonly #versions = new Map<string, Promise<string | null>>();
  readonly #env: Record<string, string>;
  readonly #searchPath: SearchPath;

  constructor(private readonly options: FinderOptions) {
    this.#env = operatorEnvironment(options.env);
    this.#searchPath = new SearchPath({ ...options, env: this.#env });
  }

  /** The PATH that is searched, and that children get. Asked once; `refresh` asks anew. */
  path(refresh = false): Promise<string> {
    return this.#searchPath.path(refresh);
  }

  /** What is searched, in order. */
  search(): Promise<CallOutput<'listAgents'>['search']> {
    return this.#searchPath.search();
  }

  /** What a turn that runs now should say of its PATH; `null` when nothing. */
  get pathWarning(): string | null {
    return this.#searchPath.warning;
  }

  /** Asks nobody any more. */
  close(): void {
    this.#searchPath.close();
  }

  /** `definition` names the program where the agent is one that the operator describes. */
  async resolve(agent: Agent, definition: CommandDefinition | null): Promise<Resolution> {
    const { executable } = agent;
    if (executable.kind === 'embedded') return { kind: 'found', executable: this.#embedded(executable.script) };
    const lookup =
      executable.kind === 'defined'
        ? await this.lookUpProgram(definition?.program ?? '')
        : await this.#lookUp(agent.id, executable.name);
    if (lookup.kind === 'not-found') return lookup;
    return { kind: 'found', executable: { program: lookup.path, args: [], env: {} } };
  }

  /** Finds any program: an absolute path, or a name on the PATH. */
  async lookUpProgram(program: string): Promise<Lookup> {
    if (isAbsolute(program) || isPlainName(program)) return findExecutable(program, await this.path());
    return { kind: 'not-found', searched: [program] };
  }

  /** @param wait whether programs that have not said their version yet are waited for */
  async statuses(refresh: boolean, wait: boolean): Promise<AgentStatus[]> {
    if (refresh) this.#versions.clear();
    await this.path(refresh);
    return Promise.all(AGENTS.map((agent) => this.#status(agent, wait)));
  }

  async #status(agent: Agent, wait: boolean): Promise<AgentStatus> {
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
      availability: await this.#availability(agent, wait),
    };
  }

  async #availability(agent: Agent, wait: boolean): Promise<AgentStatus['availability']> {
    if (agent.executable.kind === 'defined') return { kind: 'by-definition' };
    if (agent.executable.kind === 'embedded') {
      return {
        kind: 'found',
        path: join(this.options.scriptsDirectory, agent.executable.script),
        version: agent.testedVersion,
        asking: false,
        signIn: await this.#signIn(agent),
      };
    }
    const lookup = await this.#lookUp(agent.id, agent.executable.name);
    if (lookup.kind === 'not-found') return lookup;
    const asked = this.#version(lookup.path, agent.executable.versionArgs);
    const signIn = await this.#signIn(agent);
    const version = await (wait ? asked : Promise.race([asked, Promise.resolve(ASKING)]));
    return version === ASKING
      ? { ...lookup, version: null, asking: true, signIn }
      : { ...lookup, version, asking: false, signIn };
  }

  async #signIn(agent: Agent): Promise<SignIn> {
    const { variables } = await this.options.environment(agent.id);
    const env = { ...this.#env, ...variables };
    return agent.signIn({ home: env.HOME ?? homedir(), env, readText: readSmallFile });
  }

  async #version(path: string, args: readonly string[]): Promise<string | null> {
    const known = this.#versions.get(path);
    if (known !== undefined) return known;
    const asked = askVersion(path, args, { ...this.#env, PATH: await this.path() });
    this.#versions.set(path, asked);
    return asked;
  }

  async #lookUp(id: AgentId, name: string): Promise<Lookup> {
    const named = this.options.executables()[id];
    if (named !== undefined && named !== '') {
      const home = this.#env.HOME ?? homedir();
      return this.lookUpProgram(named.startsWith('~/') ? join(home, named.slice(2)) : named);
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
}

/** A name that is looked up, and cannot lead into another directory. */
function isPlainName(program: string): boolean {
  return program !== '' && !/[/\\]/.test(program);
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
