import { z } from 'zod';

/** Why an invocation failed. */
export const cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not-installed'), searched: z.array(z.string()) }),
  z.object({ kind: z.literal('spawn'), detail: z.string() }),
  /** Of a `command` seat: `problem` says why its description is of no use; `null` when there is none any more. */
  z.object({ kind: z.literal('not-described'), problem: z.string().nullable() }),
  /** A word of the command line is longer than the system lets a program be given. */
  z.object({ kind: z.literal('argument-too-long'), bytes: z.number(), limitBytes: z.number() }),
  z.object({ kind: z.literal('auth') }),
  z.object({
    kind: z.literal('usage-limit'),
    /** As the agent worded it, when it named a time; never guessed. */
    resetsAt: z.string().nullable(),
    /** The same as ms since the epoch, where the wording names one moment; `null` where it would have to be guessed. */
    resumesAt: z.number().nullable().default(null),
  }),
  z.object({ kind: z.literal('rate-limit') }),
  z.object({ kind: z.literal('context-overflow') }),
  z.object({ kind: z.literal('model-not-found'), model: z.string().nullable() }),
  z.object({ kind: z.literal('denied'), what: z.string() }),
  z.object({ kind: z.literal('dropped'), detail: z.string() }),
  z.object({ kind: z.literal('no-answer') }),
  z.object({
    kind: z.literal('exit'),
    code: z.number().int().nullable(),
    signal: z.string().nullable(),
    /** What the agent's own event stream said, when it said anything. */
    detail: z.string().nullable(),
  }),
  z.object({ kind: z.literal('cwd-missing'), cwd: z.string() }),
  z.object({ kind: z.literal('attachment-unreadable'), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('session-rejected'), sessionId: z.string() }),
  z.object({ kind: z.literal('disk-full'), freeBytes: z.number() }),
  z.object({ kind: z.literal('output-limit'), limitBytes: z.number() }),
  /** A fault of Parley's own; the message is kept, the turn is closed, nothing hangs. */
  z.object({ kind: z.literal('internal'), detail: z.string() }),
]);
export type Cause = z.infer<typeof cause>;

/** How an invocation ended. */
export const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({
    kind: z.literal('failed'),
    cause,
    /** The end of what the process printed on stderr, decoded, without terminal escapes; may be empty. */
    stderrTail: z.string(),
  }),
  z.object({
    kind: z.literal('timed-out'),
    clock: z.enum(['wall', 'idle']),
    limitMs: z.number(),
    ended: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('cancelled'),
    /** The processes that were ended, as `name (pid)`. */
    ended: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('interrupted'),
    /** The processes that were still there at the next start and were ended, as `name (pid)`. */
    ended: z.array(z.string()),
  }),
]);
export type Outcome = z.infer<typeof outcome>;

/** What the window's button does for a failure. */
export type NextStep =
  | 'agents'
  | 'commands'
  | 'send-again'
  | 'continue-then'
  | 'fresh-session'
  | 'choose-model'
  | 'choose-directory'
  | 'without-attachment'
  | 'none';

export interface OutcomeText {
  /** One plain sentence: what happened and why. */
  sentence: string;
  /** One thing the operator can do. */
  hint: string;
  step: NextStep;
}

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`;
}

function endedText(processes: readonly string[]): string {
  if (processes.length === 0) return 'No process of it was left.';
  return `Ended: ${processes.join(', ')}.`;
}

/** The words for an outcome; `agent` is the agent's label. */
export function describeOutcome(outcome: Outcome, agent: string): OutcomeText {
  switch (outcome.kind) {
    case 'completed':
      return { sentence: `${agent} finished.`, hint: '', step: 'none' };
    case 'failed':
      return describeCause(outcome.cause, agent);
    case 'timed-out':
      return {
        sentence:
          outcome.clock === 'wall'
            ? `${agent} was ended after its time limit of ${formatDuration(outcome.limitMs)}. ${endedText(outcome.ended)}`
            : `${agent} was ended after ${formatDuration(outcome.limitMs)} without a sign of life. ${endedText(outcome.ended)}`,
        hint: 'Everything it printed is kept. Send another message to go on, or raise the limit in Settings.',
        step: 'send-again',
      };
    case 'cancelled':
      return { sentence: `Stopped. ${endedText(outcome.ended)}`, hint: 'Send another message to go on.', step: 'none' };
    case 'interrupted':
      return {
        sentence: `Interrupted: Parley ended while ${agent} was working. ${endedText(outcome.ended)}`,
        hint: 'Everything it had printed is shown. Send another message to go on.',
        step: 'send-again',
      };
  }
}

function describeCause(cause: Cause, agent: string): OutcomeText {
  switch (cause.kind) {
    case 'not-installed':
      return {
        sentence: `${agent} was not found on this machine.`,
        hint: 'Install it, or name its path in Settings; then send the message again.',
        step: 'agents',
      };
    case 'spawn':
      return {
        sentence: `${agent} could not be started: ${cause.detail}.`,
        hint: 'Check its path in Settings.',
        step: 'agents',
      };
    case 'not-described':
      return cause.problem === null
        ? {
            sentence: `What ${agent} runs is no longer described in the settings.`,
            hint: 'Describe the command again in Settings, Commands, or choose another agent for this seat.',
            step: 'commands',
          }
        : {
            sentence: `The description of ${agent} in the settings cannot be used: ${cause.problem}`,
            hint: 'Correct it in Settings, Commands; then send the message again.',
            step: 'commands',
          };
    case 'argument-too-long':
      return {
        sentence: `The message is too long for ${agent}: it is handed over as an argument of ${kibibytes(cause.bytes)}, and the system takes no more than ${kibibytes(cause.limitBytes)}.`,
        hint: 'Send a shorter message; a command of your own can be told to read it from standard input or a file.',
        step: 'none',
      };
    case 'auth':
      return {
        sentence: `${agent} is not signed in.`,
        hint: 'Sign in in a terminal, then send the message again.',
        step: 'send-again',
      };
    case 'usage-limit':
      return {
        sentence:
          cause.resetsAt === null
            ? `${agent}’s usage limit is reached.`
            : `${agent}’s usage limit is reached. It resets ${cause.resetsAt}.`,
        hint: 'Your message is kept. Send it again then, or ask another agent.',
        step: cause.resumesAt === null ? 'send-again' : 'continue-then',
      };
    case 'rate-limit':
      return {
        sentence: `${agent} was told to slow down by its provider (rate limit).`,
        hint: 'Wait a little, then send the message again.',
        step: 'send-again',
      };
    case 'context-overflow':
      return {
        sentence: `The session no longer fits into the model’s context window.`,
        hint: 'Start a fresh session for this seat, or send a shorter message.',
        step: 'fresh-session',
      };
    case 'model-not-found':
      return {
        sentence:
          cause.model === null
            ? `${agent} does not know the model it was asked to use.`
            : `${agent} does not know the model “${cause.model}”.`,
        hint: 'Choose another model for this seat, or check that your account may use it; then send the message again.',
        step: 'choose-model',
      };
    case 'denied':
      return {
        sentence: `${agent} was refused what it needed: ${cause.what}.`,
        hint: 'Give the seat more access, or ask for something else.',
        step: 'none',
      };
    case 'dropped':
      return {
        sentence: `The connection to ${agent}’s model broke off: ${cause.detail}.`,
        hint: 'Send the message again.',
        step: 'send-again',
      };
    case 'no-answer':
      return {
        sentence: `${agent} ended without an answer.`,
        hint: 'Look at what it printed in Artifacts, then send the message again.',
        step: 'send-again',
      };
    case 'exit': {
      const how =
        cause.signal === null ? `exited with code ${cause.code ?? 'unknown'}` : `was ended by ${cause.signal}`;
      return {
        sentence: cause.detail === null ? `${agent} ${how}.` : `${agent} ${how}: ${cause.detail}`,
        hint: 'The end of its error output is below; the whole is in Artifacts.',
        step: 'send-again',
      };
    }
    case 'cwd-missing':
      return {
        sentence: `The working directory ${cause.cwd} is gone.`,
        hint: 'Bring it back, or choose another directory for this conversation.',
        step: 'choose-directory',
      };
    case 'attachment-unreadable':
      return {
        sentence: `The image “${cause.name}” can no longer be read: ${cause.detail}.`,
        hint: 'Attach it again, or send the message without it.',
        step: 'without-attachment',
      };
    case 'session-rejected':
      return {
        sentence: `${agent} no longer knows the session ${cause.sessionId}.`,
        hint: 'Start a fresh session for this seat; what was said stays in this transcript.',
        step: 'fresh-session',
      };
    case 'disk-full':
      return {
        sentence: `The disk is nearly full (${Math.floor(cause.freeBytes / 1024 / 1024)} MiB left where Parley keeps its data), so the run was not safe to go on.`,
        hint: 'Free some space, then send the message again.',
        step: 'send-again',
      };
    case 'output-limit':
      return {
        sentence: `${agent} printed more than ${Math.floor(cause.limitBytes / 1024 / 1024)} MiB and was ended.`,
        hint: 'Everything up to the limit is in Artifacts. Ask for less output.',
        step: 'none',
      };
    case 'internal':
      return {
        sentence: `Parley itself failed: ${cause.detail}.`,
        hint: 'Your message is kept. Send it again; if it happens again, please report it.',
        step: 'send-again',
      };
  }
}
