import type { parseArgs } from 'node:util';
import { agentId } from '../../src-shared/agents.ts';
import type { CallInput } from '../../src-shared/api.ts';
import { ParleyError } from '../../src-shared/failure.ts';
import type { Preferences } from '../../src-shared/preferences.ts';

export const HELP = `parley: conversations with agent CLIs, without a window

  parley run --agent AGENT --cwd DIR [options] TEXT    one turn of a new conversation
  parley run --conversation ID [options] TEXT          the next turn of one that exists
  parley show ID                                       a conversation, as text
  parley artifacts RUN                                 what a run left behind, with paths
  parley seats                                         how each agent stands on this machine
  parley seats try AGENT                               one real turn of it, in an empty directory

TEXT is the message; "-" reads it from standard input.

  --agent AGENT       ${agentId.options.join(', ')}
  --cwd DIR           the working directory
  --attach FILE       an image; may be given several times
  --model MODEL       the model, in the agent's own words
  --write             the seat may write to the working directory (it is read-only otherwise)
  --timeout SECONDS   the time limit of the turn
  --conversation ID   continue this conversation
  --fresh             its seats open new sessions that know nothing of what was said
  --replay            its seats open new sessions that are told the transcript first
  --json              run: SeatEvents as JSON lines; show, artifacts, seats: JSON
  --help              this text
  --version           the version of Parley

AGENT may also be the name or the id of a command that is described in the settings.
Exit code of run and of seats try: 0 when the turn completed, 1 when it did not, 2 when it could not be begun.
Data is kept in PARLEY_HOME, else in the platform's place for application data.
`;

export const options = {
  agent: { type: 'string' },
  cwd: { type: 'string' },
  attach: { type: 'string', multiple: true },
  model: { type: 'string' },
  write: { type: 'boolean' },
  timeout: { type: 'string' },
  conversation: { type: 'string' },
  fresh: { type: 'boolean' },
  replay: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;
export type Commands = Preferences['commands'];
export type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values'];

export function usageError(message: string): ParleyError {
  return new ParleyError('usage', message, 'See parley --help.');
}

/** An argument as the contract wants it. */
export function parseArgument<Value>(
  schema: { safeParse(value: unknown): { success: true; data: Value } | { success: false } },
  value: string,
  what: string,
): Value {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw usageError(`“${value}” is not ${what}.`);
  return parsed.data;
}

export function timeoutOf(values: Values): number | undefined {
  if (values.timeout === undefined) return undefined;
  const seconds = Number(values.timeout);
  if (!(seconds > 0)) throw usageError(`“${values.timeout}” is not a number of seconds.`);
  return Math.round(seconds * 1000);
}

/** Names an agent, or a command by its name or id. */
export function subjectOf(name: string, commands: Commands): CallInput<'startTrial'> {
  const definition = commands.find((candidate) => candidate.id === name || candidate.name === name);
  if (definition !== undefined) return { agent: 'command', definitionId: definition.id };
  return { agent: parseArgument(agentId, name, `an agent (${agentId.options.join(', ')}) or a command`) };
}
