import type { CommandProblem } from '../../../src-shared/commandDefinition.ts';
import { AGENTS, checkCommandDefinition, exampleWords } from '../agents/index.ts';
import type { CallParts, Some } from './parts.ts';

/** The operator's own commands. They are kept with the other settings; here is what can be told of one. */
export function commandHandlers({ finder, preferences }: CallParts): Some<'checkCommand'> {
  return {
    checkCommand: async ({ definition }) => {
      const name = definition.name.trim();
      const others = preferences().commands.filter(({ id }) => id !== definition.id);
      const isTaken =
        others.some((other) => other.name === name) ||
        AGENTS.some((agent) => agent.needsDefinition !== true && agent.label === name);
      const taken: CommandProblem = { field: 'name', sentence: 'Something else has this name.', level: 'problem' };
      const program = definition.program.trim();
      const lookup = program === '' ? null : await finder.lookUpProgram(program);
      return {
        problems: [...(isTaken ? [taken] : []), ...checkCommandDefinition(definition)],
        examples: exampleWords(definition),
        program: lookup?.kind === 'found' ? lookup.path : null,
      };
    },
  };
}
