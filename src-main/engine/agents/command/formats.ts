import type { CommandDefinition } from '../../../../src-shared/commandDefinition.ts';
import type { Agent } from '../agent.ts';

/** The agents whose event streams a command can speak. */
export type EventFormat = Exclude<CommandDefinition['output'], 'text'>;
/** The agent of a format; `null` where the table has none. */
export type EventFormats = (format: EventFormat) => Agent | null;

/** Whose event stream the program speaks; `null` where all that it prints is its answer. */
export function formatOf(definition: CommandDefinition | null, formats: EventFormats): Agent | null {
  return definition === null || definition.output === 'text' ? null : formats(definition.output);
}
