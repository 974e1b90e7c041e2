import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { agentId } from '../../src-shared/agents.ts';
import type { CallOutput } from '../../src-shared/api.ts';
import { errorText, ParleyError } from '../../src-shared/failure.ts';
import type { Preferences, SecretScope } from '../../src-shared/preferences.ts';

/** Seals text with a key that the system's keychain keeps. */
export interface Keychain {
  /** Why nothing can be sealed here, in a sentence; `null` when it can. */
  fault(): Promise<string | null>;
  seal(text: string): Promise<Buffer>;
  /** @throws when it was sealed with another key */
  open(sealed: Buffer): Promise<string>;
}

/** The values of the operator's secret variables. They go to the children of an agent, and nowhere else. */
export interface SecretStore {
  storage(): Promise<CallOutput<'secretStorage'>>;
  /** `null` when there is no value, or the keychain does not give it. */
  get(scope: SecretScope, name: string): Promise<string | null>;
  /** `null` forgets. */
  set(scope: SecretScope, name: string, value: string | null): Promise<void>;
  /** Names of which a value is kept that can be had now. */
  names(scope: SecretScope): Promise<string[]>;
}

const FILE = 'secrets.json';
const file = z.object({
  schema: z.literal(1),
  /** By scope and name, sealed, in base64. */
  sealed: z.record(z.string(), z.record(z.string(), z.string())),
});
type Sealed = z.infer<typeof file>['sealed'];

/**
 * Secrets of one data directory: sealed by the keychain in a file that only its owner reads. Where there is no keychain
 * a secret lives in memory, until Parley ends.
 */
export function openSecrets(dataDirectory: string, keychain: Keychain): SecretStore {
  const filename = path.join(dataDirectory, FILE);
  const ofSession = new Map<string, Map<string, string>>();
  let known: Sealed | null = null;
  const sealed = (): Sealed => {
    known ??= readSealed(filename);
    return known;
  };
  const write = (next: Sealed) => {
    writeWhole(filename, JSON.stringify({ schema: 1, sealed: next }));
    known = next;
  };
  // One after the other: each change is made to what the one before it has left.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(change: () => Promise<Value>): Promise<Value> => {
    const done = last.then(change);
    // Its failure is the caller's; the next change does not depend on it.
    last = done.catch(() => {});
    return done;
  };

  return {
    async storage() {
      const fault = await keychain.fault();
      if (fault !== null) return { kind: 'session-only', detail: fault };
      return { kind: 'keychain', detail: `Sealed by the system’s keychain in ${filename}.` };
    },
    async get(scope, name) {
      const remembered = ofSession.get(scope)?.get(name);
      if (remembered !== undefined) return remembered;
      const kept = ownValue(ownValue(sealed(), scope), name);
      if (kept === undefined || (await keychain.fault()) !== null) return null;
      try {
        return await keychain.open(Buffer.from(kept, 'base64'));
      } catch {
        // Sealed with a key that is gone: as good as never entered, and the operator is told that it is missing.
        return null;
      }
    },
    set: (scope, name, value) =>
      inTurn(async () => {
        ofSession.get(scope)?.delete(name);
        if (value === null) {
          const { [name]: gone, ...others } = ownValue(sealed(), scope) ?? {};
          if (gone !== undefined) write(withScope(sealed(), scope, others));
        } else if ((await keychain.fault()) === null) {
          const bytes = await keychain.seal(value);
          const others = ownValue(sealed(), scope) ?? {};
          write(withScope(sealed(), scope, { ...others, [name]: bytes.toString('base64') }));
        } else {
          const names = ofSession.get(scope) ?? new Map<string, string>();
          ofSession.set(scope, names.set(name, value));
        }
      }),
    async names(scope) {
      const remembered = [...(ofSession.get(scope)?.keys() ?? [])];
      const kept = (await keychain.fault()) === null ? Object.keys(ownValue(sealed(), scope) ?? {}) : [];
      return [...new Set([...kept, ...remembered])].sort();
    },
  };
}

/** The secrets that a change of the settings took away: their values are nobody's any more. */
export function droppedSecrets(before: Preferences, after: Preferences): { scope: SecretScope; name: string }[] {
  const left = new Set(secretsOf(after).map(({ scope, name }) => `${scope} ${name}`));
  return secretsOf(before).filter(({ scope, name }) => !left.has(`${scope} ${name}`));
}

function secretsOf({ environments, commands }: Preferences): { scope: SecretScope; name: string }[] {
  const scopes = [
    ...agentId.options.map((scope) => ({ scope, variables: environments[scope] ?? [] })),
    ...commands.map(({ id, environment }) => ({ scope: id, variables: environment })),
  ];
  return scopes.flatMap(({ scope, variables }) =>
    variables.flatMap(({ name, value }) => (value === null ? [{ scope, name }] : [])),
  );
}

/** A field of its own: `__proto__` is a name like any other. */
function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function withScope(before: Sealed, scope: SecretScope, names: Record<string, string>): Sealed {
  const { [scope]: _before, ...others } = before;
  return Object.keys(names).length === 0 ? others : { ...others, [scope]: names };
}

function readSealed(filename: string): Sealed {
  let text: string;
  try {
    text = readFileSync(filename, 'utf8');
  } catch {
    // There are none yet. One that is there and cannot be read is refused when it would be replaced.
    return {};
  }
  try {
    return file.parse(JSON.parse(text)).sealed;
  } catch {
    // Set aside, as the settings are: whoever can read it should still have it.
    renameSync(filename, `${filename}.unreadable-${Date.now()}`);
    return {};
  }
}

function writeWhole(filename: string, text: string): void {
  const temporary = `${filename}.tmp`;
  try {
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, filename);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new ParleyError(
      'secret-not-kept',
      `The secret could not be written down: ${errorText(error)}.`,
      'Check the permissions and the free space of the data directory.',
      { cause: error },
    );
  }
}
