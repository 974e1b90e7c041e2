import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { agentId } from '../../src-shared/agents.ts';
import {
  type CallOutput,
  type CallParsed,
  type CallResult,
  type EngineCallName,
  type EngineEvent,
  engineCalls,
} from '../../src-shared/api.ts';
import { reservedVariable } from '../../src-shared/environment.ts';
import type { Origin } from '../../src-shared/events.ts';
import { errorText, type Failure, ParleyError } from '../../src-shared/failure.ts';
import type { AttachmentId, RunId } from '../../src-shared/ids.ts';
import type { SecretScope } from '../../src-shared/preferences.ts';
import { type EnginePreferences, engineHandlers } from './calls/index.ts';
import { openRecords } from './conversations/index.ts';
import { findProcess } from './process/index.ts';
import { AgentFinder, type AgentSettings, Runner } from './runner/index.ts';
import { ArtifactService, engineKey, LEASE_BEAT_MS, LeaseService } from './services/index.ts';
import { openDatabase } from './storage/index.ts';

export interface EngineOptions {
  /** Absolute. Made when it is not there. */
  readonly dataDirectory: string;
  readonly version: string;
  readonly origin: Origin;
  /** Where the scripts of embedded agents lie. */
  readonly scriptsDirectory: string;
  /** What children inherit, cleaned. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether PATH is the desktop's, so that the login shell has to be asked for the operator's. */
  readonly askLoginShell: boolean;
  preferences(): EnginePreferences;
  /** The value of a secret variable; `null` when it cannot be told here. */
  secret(scope: SecretScope, name: string): string | null | Promise<string | null>;
}

/** The contract of `src-shared/api.ts`, without a window. */
export interface Engine {
  /** Parses the input, does it, parses the output. Never throws. */
  call<Name extends EngineCallName>(name: Name, input: unknown): Promise<CallResult<CallOutput<Name>>>;
  /** Returns a function that ends the subscription. */
  on(listener: (event: EngineEvent) => void): () => void;
  /** Resolves when nothing waits or runs in the conversation any more. */
  idle(conversationId: Parameters<Runner['idle']>[0]): Promise<void>;
  /** Invocations that are running in this engine. */
  busy(): number;
  attachmentFile(id: AttachmentId): { path: string; mime: string; name: string } | null;
  artifactFile(run: RunId, name: string): string | null;
  /** Ends what runs, waits until it is gone, and lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the data directory, closes what a crashed engine has left open, and begins to take calls.
 * @throws ParleyError when the data directory or the database cannot be used
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  await makeDirectories(options.dataDirectory);
  // Grants and permissions are compared by path: the one without symbolic links is everybody's.
  const dataDirectory = await realpath(options.dataDirectory);
  const database = openDatabase(join(dataDirectory, 'parley.db'));
  const records = openRecords(database, join(dataDirectory, 'attachments'));
  const artifacts = new ArtifactService(join(dataDirectory, 'artifacts'));
  const owner = `engine-${process.pid}-${randomBytes(6).toString('hex')}`;
  const started = (await findProcess(process.pid))?.started ?? '';
  const leases = new LeaseService(database, { id: owner, pid: process.pid, started }, async (pid, since) => {
    const info = await findProcess(pid);
    return info !== null && !info.zombie && info.started === since;
  });
  await leases.claim(engineKey(owner));
  const beat = setInterval(() => leases.beat(), LEASE_BEAT_MS);
  beat.unref();

  const listeners = new Set<(event: EngineEvent) => void>();
  const publish = (event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  };
  const settings = agentSettings(options);
  const finder = new AgentFinder({
    ...options,
    executables: () => options.preferences().executables,
    environment: settings.environment,
  });
  // Asked early, so that the first turn does not wait for a slow login shell.
  void finder.path();
  const env = { ...options.env, PARLEY_HOME: undefined };
  const runner = new Runner({
    database,
    records,
    artifacts,
    leases,
    finder,
    settings,
    env,
    owner,
    origin: options.origin,
    userId: userInfo().username,
    publish,
  });
  await runner.recover();
  runner.schedule();
  await records.attachments.collectAll();

  const handlers = engineHandlers({
    database,
    records,
    artifacts,
    finder,
    runner,
    publish,
    owner,
    about: { version: options.version, dataDirectory, homeDirectory: homedir(), platform: process.platform },
    preferences: options.preferences,
  });

  return {
    call: (name, input) => answer(name, input, handlers[name]),
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    idle: (conversationId) => runner.idle(conversationId),
    busy: () => runner.busy,
    attachmentFile: (id) => quietly(() => records.attachments.get(id)),
    artifactFile: (run, name) => quietly(() => artifacts.resolve(run, name)),
    close: async () => {
      finder.close();
      await runner.close();
      clearInterval(beat);
      leases.release(engineKey(owner));
      listeners.clear();
      database.close();
    },
  };
}

function agentSettings({ preferences, secret }: EngineOptions): AgentSettings {
  return {
    definition: (id) => preferences().commands.find((candidate) => candidate.id === id) ?? null,
    buildCache: () => preferences().buildCache,
    environment: async (scope) => {
      const { commands, environments } = preferences();
      const id = agentId.safeParse(scope);
      const listed = id.success
        ? (environments[id.data] ?? [])
        : (commands.find((candidate) => candidate.id === scope)?.environment ?? []);
      const variables: Record<string, string> = {};
      const missing: string[] = [];
      for (const { name, value } of listed) {
        // The settings refuse these names; their file can be edited by other means.
        if (reservedVariable(name) !== null) continue;
        const known = value ?? (await secret(scope, name));
        if (known === null) missing.push(name);
        else variables[name] = known;
      }
      return { variables, missing };
    },
  };
}

async function makeDirectories(dataDirectory: string): Promise<void> {
  try {
    for (const name of ['attachments', 'artifacts']) {
      await mkdir(join(dataDirectory, name), { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    throw new ParleyError(
      'data-directory',
      `The data directory ${dataDirectory} cannot be used: ${errorText(error)}.`,
      'Check its permissions, or choose another one with PARLEY_HOME.',
      { cause: error },
    );
  }
}

function quietly<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    // What is not there is `null` for the caller; it asks about names that come from outside.
    return null;
  }
}

async function answer<Name extends EngineCallName>(
  name: Name,
  input: unknown,
  handler: (input: CallParsed<Name>) => Promise<CallOutput<Name>> | CallOutput<Name>,
): Promise<CallResult<CallOutput<Name>>> {
  try {
    const parsed = engineCalls[name].input.safeParse(input);
    if (!parsed.success) return { ok: false, error: badInput(name, parsed.error) };
    const value = await handler(parsed.data as CallParsed<Name>);
    return { ok: true, value: engineCalls[name].output.parse(value) as CallOutput<Name> };
  } catch (error) {
    return { ok: false, error: toFailure(name, error) };
  }
}

function badInput(name: string, error: z.ZodError): Failure {
  return { code: 'bad-input', message: `${name} was called with bad input: ${z.prettifyError(error)}`, hint: '' };
}

function toFailure(name: string, error: unknown): Failure {
  if (error instanceof ParleyError) return error.toFailure();
  return {
    code: 'internal',
    message: `Parley itself failed in ${name}: ${errorText(error)}.`,
    hint: 'Nothing that was stored is lost. If it happens again, please report it.',
  };
}
