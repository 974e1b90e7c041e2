import {
  type CommandDefinition,
  type CommandDraft,
  commandDefinition,
} from '../../../../src-shared/commandDefinition.ts';

/** For tests: the description of a program that reads its message from standard input and prints its answer. */
const PLAIN: CommandDraft = {
  id: commandDefinition.shape.id.parse('cmd_sample'),
  name: 'Sample',
  program: 'tool',
  arguments: '',
  prompt: 'stdin',
  environment: [],
  encoding: 'utf-8',
  resume: { kind: 'none' },
  output: 'text',
  images: true,
  timeoutMs: null,
  idleTimeoutMs: null,
};

export function draft(fields: Partial<CommandDraft>): CommandDraft {
  return { ...PLAIN, ...fields };
}

export function described(fields: Partial<CommandDraft>): CommandDefinition {
  return commandDefinition.parse(draft(fields));
}
