import type { z } from 'zod';
import {
  type CallOutput,
  type CallParsed,
  type CallResult,
  type DesktopCallName,
  desktopCalls,
  type EngineCallName,
  engineCalls,
} from '../../src-shared/api.ts';
import { errorText, ParleyError } from '../../src-shared/failure.ts';
import type { DesktopEngine } from './engine.ts';

export type DesktopHandlers = {
  readonly [Name in DesktopCallName]: (input: CallParsed<Name>) => Promise<CallOutput<Name>> | CallOutput<Name>;
};

type Answer = CallResult<unknown>;

const refusal = (code: string, message: string, hint = ''): Answer => ({ ok: false, error: { code, message, hint } });

const isEngineCall = (name: string): name is EngineCallName => Object.hasOwn(engineCalls, name);
const isDesktopCall = (name: string): name is DesktopCallName => Object.hasOwn(desktopCalls, name);

/** A Date or a Map crosses the bridge as well, and a schema of an object without fields would take either. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Says what is wrong with an input, without repeating what may be large or secret. */
function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? 'input' : issue.path.map(String).join('.')}: ${issue.message}`)
    .join('; ');
}

/** A handler behind the schema of its input. */
function parsing<Schema extends z.ZodType>(
  name: DesktopCallName,
  schema: Schema,
  handler: (input: z.output<Schema>) => unknown,
): (input: unknown) => Promise<Answer> {
  return async (input) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success)
      return refusal('invalid-input', `${name} was called wrongly: ${describeIssues(parsed.error)}.`);
    return { ok: true, value: await handler(parsed.data) };
  };
}

function bindHandlers(handlers: DesktopHandlers): Record<DesktopCallName, (input: unknown) => Promise<Answer>> {
  const calls = desktopCalls;
  return {
    chooseDirectory: parsing('chooseDirectory', calls.chooseDirectory.input, handlers.chooseDirectory),
    getPreferences: parsing('getPreferences', calls.getPreferences.input, handlers.getPreferences),
    setPreferences: parsing('setPreferences', calls.setPreferences.input, handlers.setPreferences),
    secretStorage: parsing('secretStorage', calls.secretStorage.input, handlers.secretStorage),
    setSecret: parsing('setSecret', calls.setSecret.input, handlers.setSecret),
    listSecrets: parsing('listSecrets', calls.listSecrets.input, handlers.listSecrets),
    openExternal: parsing('openExternal', calls.openExternal.input, handlers.openExternal),
    copyText: parsing('copyText', calls.copyText.input, handlers.copyText),
    revealAttachment: parsing('revealAttachment', calls.revealAttachment.input, handlers.revealAttachment),
    revealArtifact: parsing('revealArtifact', calls.revealArtifact.input, handlers.revealArtifact),
    saveAttachmentAs: parsing('saveAttachmentAs', calls.saveAttachmentAs.input, handlers.saveAttachmentAs),
    saveArtifactAs: parsing('saveArtifactAs', calls.saveArtifactAs.input, handlers.saveArtifactAs),
  };
}

/**
 * Answers one call from the window: by the desktop's own handler or by the engine. Parses what comes in and what goes
 * out, and never throws.
 */
export function createAnswering(engine: Promise<DesktopEngine>, handlers: DesktopHandlers) {
  const desktop = bindHandlers(handlers);
  return async function answer(name: unknown, input: unknown): Promise<Answer> {
    try {
      if (typeof name !== 'string') return refusal('unknown-call', 'There is no call of that name.');
      if (!isEngineCall(name) && !isDesktopCall(name)) return refusal('unknown-call', 'There is no call of that name.');
      if (!isPlainObject(input))
        return refusal('invalid-input', `${name} was called wrongly: its input is no plain object.`);
      // The engine parses what goes in and what comes out of it by the same contract.
      if (isEngineCall(name)) return await (await engine).call(name, input);
      const result = await desktop[name](input);
      if (!result.ok) return result;
      const output = desktopCalls[name].output.safeParse(result.value);
      if (output.success) return { ok: true, value: output.data };
      return refusal('invalid-output', `The answer to ${name} was not as agreed: ${describeIssues(output.error)}.`);
    } catch (error) {
      if (error instanceof ParleyError) return { ok: false, error: error.toFailure() };
      return refusal('internal', `Parley itself failed: ${errorText(error)}.`);
    }
  };
}
