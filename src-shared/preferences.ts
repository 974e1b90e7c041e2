import { z } from 'zod';
import { agentId } from './agents.ts';
import { commandDefinition, definitionId, environmentVariable, MAX_COMMAND_DEFINITIONS } from './commandDefinition.ts';
import { timeoutMs } from './conversations.ts';

/** What the operator sets for all conversations. */

/** Whose secret it is: an agent's, or one of the operator's commands'. */
export const secretScope = z.union([agentId, definitionId]);
export type SecretScope = z.infer<typeof secretScope>;

const theme = z.enum(['system', 'light', 'dark']);
/** `mod-enter`: Ctrl/Cmd+Enter sends and Enter breaks the line. */
const sendKey = z.enum(['enter', 'mod-enter']);
/** Wall clock of an invocation of a new seat, ms. */
const defaultTimeoutMs = timeoutMs;
/** Executables that the operator named, by agent. */
const executables = z.partialRecord(agentId, z.string());
/** What the children of an agent get in their environment on top of everything else. */
const environments = z.partialRecord(agentId, z.array(environmentVariable).max(100));
const commands = z.array(commandDefinition).max(MAX_COMMAND_DEFINITIONS);
/** An absolute directory that children get as `CARGO_TARGET_DIR`. */
const buildCache = z.string().max(4_000);

export const preferences = z.object({
  theme: theme.default('system'),
  sendKey: sendKey.default('enter'),
  defaultTimeoutMs: defaultTimeoutMs.optional(),
  executables: executables.default({}),
  environments: environments.default({}),
  commands: commands.default([]),
  buildCache: buildCache.optional(),
  /** `null`: new seats have no idle limit. */
  defaultIdleTimeoutMs: timeoutMs.nullable().optional(),
});
/** What changes: without defaults, so that a field that is left out stays as it is. */
export const preferencesChange = z
  .strictObject({
    theme,
    sendKey,
    defaultTimeoutMs: defaultTimeoutMs.nullable(),
    executables,
    environments,
    commands,
    buildCache: buildCache.nullable(),
    defaultIdleTimeoutMs: timeoutMs.nullable(),
  })
  .partial();
export type Preferences = z.infer<typeof preferences>;
