import { z } from 'zod';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from './limits.ts';

/** An operator's own agents: any program, described in settings. */

export const MAX_COMMAND_DEFINITIONS = 50;
const MAX_TEMPLATE_LENGTH = 10_000;
/** What a shell would take for a variable's name. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const MAX_VARIABLE_LENGTH = 32_000;

export const definitionId = z
  .string()
  .regex(/^cmd_[0-9a-z]{6,40}$/)
  .brand('DefinitionId');
export type DefinitionId = z.infer<typeof definitionId>;

/** One variable for the children of an agent; `null` is a secret that the system keychain keeps. */
export const environmentVariable = z.object({
  name: z.string().max(200).regex(VARIABLE_NAME, 'letters, digits and underscores, not beginning with a digit'),
  value: z.string().max(MAX_VARIABLE_LENGTH).nullable(),
});
export type EnvironmentVariable = z.infer<typeof environmentVariable>;

/**
 * A program as an agent. `arguments` is a template: it is split into words once, when it is saved; `{prompt_file}`,
 * `{cwd}`, `{attachments_dir}`, `{session}`, `{model}` and `{prompt}` are replaced inside words, a word that holds
 * `{attachment}` is repeated for each image. What is put in is never split, and no shell sees any of it.
 */
export const commandDefinition = z.object({
  id: definitionId,
  name: z.string().trim().min(1).max(60),
  /** An absolute path, or a name that is looked up on the PATH. */
  program: z.string().trim().min(1).max(4_000),
  arguments: z.string().max(MAX_TEMPLATE_LENGTH),
  /** `stdin`: the prompt file is the standard input. `argument`: `{prompt}`. `file`: `{prompt_file}`. */
  prompt: z.enum(['stdin', 'argument', 'file']),
  environment: z.array(environmentVariable).max(100),
  /** Of what it prints, as WHATWG names it. */
  encoding: z.enum(['utf-8', 'utf-16le', 'windows-1252', 'shift_jis', 'gbk', 'euc-kr']),
  resume: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({
      kind: z.literal('by-id'),
      /** The template of a turn that goes on with `{session}`. */
      arguments: z.string().max(MAX_TEMPLATE_LENGTH),
      /** `minted`: Parley makes a UUID and the first turn's template names it. `reported`: the event stream tells it. */
      source: z.enum(['minted', 'reported']),
    }),
  ]),
  /** `text`: all of its standard output is the answer. Otherwise the event stream of that agent's CLI. */
  output: z.enum(['text', 'codex', 'claude', 'gemini', 'opencode']),
  /** Whether images can be given to it at all, by `{attachment}` or by their paths in the prompt. */
  images: z.boolean(),
  timeoutMs: z.number().int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS).nullable(),
  idleTimeoutMs: z.number().int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS).nullable(),
});
export type CommandDefinition = z.infer<typeof commandDefinition>;

/** A description that is still being written: every field is there, and may hold what cannot be saved. */
export const commandDraft = commandDefinition.extend({
  name: z.string(),
  program: z.string(),
  arguments: z.string(),
  environment: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  resume: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('by-id'), arguments: z.string(), source: z.enum(['minted', 'reported']) }),
  ]),
  timeoutMs: z.number().nullable(),
  idleTimeoutMs: z.number().nullable(),
});
export type CommandDraft = z.infer<typeof commandDraft>;

/** What is to be said of a description. A `problem` keeps it from being saved, a `note` does not. */
export const commandProblem = z.object({
  /** The name of the field, with dots: `resume.arguments`, `environment.0.name`. */
  field: z.string(),
  sentence: z.string(),
  level: z.enum(['problem', 'note']),
});
export type CommandProblem = z.infer<typeof commandProblem>;
