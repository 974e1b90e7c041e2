import { z } from 'zod';

/** What crosses a border instead of an exception: a code for programs, a sentence and a next step for the operator. */
export const failure = z.object({
  code: z.string(),
  /** What is wrong and why, in one plain sentence. */
  message: z.string(),
  /** What the operator can do next; empty when there is nothing to do. */
  hint: z.string(),
});
export type Failure = z.infer<typeof failure>;

/** Thrown inside the engine, turned into a {@link Failure} at its border. */
export class ParleyError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ParleyError';
  }

  toFailure(): Failure {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}

/** The text of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the `default` of an exhaustive switch. */
export function never(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
