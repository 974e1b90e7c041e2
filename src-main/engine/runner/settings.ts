import type { CommandDefinition, DefinitionId } from '../../../src-shared/commandDefinition.ts';
import type { SecretScope } from '../../../src-shared/preferences.ts';

/** Variables for the children of one agent. */
export interface AgentEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Secrets that are named in the settings and that nobody can tell here: the keychain is not there. */
  readonly missing: readonly string[];
}

/** What the operator has set, as it is now. */
export interface AgentSettings {
  definition(id: DefinitionId): CommandDefinition | null;
  readonly environment: (scope: SecretScope) => Promise<AgentEnvironment>;
  /** Exported to children as `CARGO_TARGET_DIR`. */
  buildCache(): string | undefined;
}
