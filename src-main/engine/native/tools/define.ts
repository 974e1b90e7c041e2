import { z } from 'zod';
import { errorText } from '../../../../src-shared/failure.ts';
import { oneLine } from '../../../../src-shared/plainText.ts';
import type { Tool, ToolContext, ToolOutcome, ToolRight } from '../tool.ts';
import { MAX_COMPLAINT_FIELDS, MAX_COMPLAINT_LENGTH, TITLE_LENGTH } from './limits.ts';
import { INTERRUPTED_TEXT, notOk, Refusal } from './outcome.ts';

/** What is repeated of the name of a field. */
const FIELD_LENGTH = 40;

interface Definition<Input> {
  readonly name: string;
  readonly description: string;
  readonly right: ToolRight;
  /** A strict object: a field that is not known is told, not dropped. */
  readonly input: z.ZodType<Input>;
  title(input: Input): string;
  /** Of input that fits; the default runs beside everything. */
  exclusiveKey?(input: Input, context: Pick<ToolContext, 'cwd'>): string | null;
  /** What it throws becomes the outcome: a {@link Refusal} as it says, anything else as `failed`. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** Makes a tool of what is particular about it. */
export function defineTool<Input>(definition: Definition<Input>): Tool {
  // The schema's own address says nothing to a model, and some providers refuse it.
  const { $schema: _, ...inputSchema } = z.toJSONSchema(definition.input);
  const { name } = definition;
  return {
    spec: { name, description: definition.description, inputSchema },
    right: definition.right,
    title(input) {
      const parsed = definition.input.safeParse(input);
      return parsed.success ? oneLine(definition.title(parsed.data), TITLE_LENGTH) || name : name;
    },
    exclusiveKey(input, context) {
      const parsed = definition.input.safeParse(input);
      return (parsed.success && definition.exclusiveKey?.(parsed.data, context)) || null;
    },
    async run(input, context) {
      if (context.signal.aborted) return notOk('interrupted', INTERRUPTED_TEXT);
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) return notOk('failed', complaint(name, parsed.error, input, inputSchema));
      try {
        return await definition.run(parsed.data, context);
      } catch (error) {
        if (error instanceof Refusal) return notOk(error.status, error.message);
        if (context.signal.aborted) return notOk('interrupted', INTERRUPTED_TEXT);
        return notOk('failed', `${name} failed: ${errorText(error)}`);
      }
    },
  };
}

/** What is wrong with the input and what would be right. Repeats no value: one may be as long as a file. */
function complaint(name: string, error: z.ZodError, input: unknown, schema: object): string {
  const problems = error.issues
    .slice(0, MAX_COMPLAINT_FIELDS)
    .map((issue) => oneLine(`${issue.path.join('.') || 'input'}: ${problem(issue)}`, MAX_COMPLAINT_LENGTH));
  return [
    `The input of ${name} is not valid. ${problems.join('; ')}.`,
    `Received: ${received(input)}.`,
    `Expected: ${JSON.stringify(schema)}`,
  ].join('\n');
}

function problem(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const names = issue.keys.slice(0, MAX_COMPLAINT_FIELDS).map((key) => `“${oneLine(key, FIELD_LENGTH)}”`);
  return `there is no field ${names.join(', ')}`;
}

function received(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return kindOf(input);
  const fields = Object.entries(input);
  if (fields.length === 0) return 'an object without fields';
  const shown = fields
    .slice(0, MAX_COMPLAINT_FIELDS)
    .map(([key, value]) => `${oneLine(key, FIELD_LENGTH)} (${kindOf(value)})`);
  return shown.join(', ') + (fields.length > shown.length ? ` and ${fields.length - shown.length} more` : '');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'string' ? `a string of ${value.length} characters` : typeof value;
}
