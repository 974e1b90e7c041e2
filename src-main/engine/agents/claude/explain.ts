import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { sentencePart } from '../reading.ts';
import { type Failure, parseFailure } from './failure.ts';

/** Each pattern is a wording of Claude Code 2.1.197, recorded in `transcripts/`. */
const UNKNOWN_SESSION = /No conversation found with session ID/i;
const REFUSED_AS_ROOT = /cannot be used with root\/sudo privileges/i;
const USAGE_LIMIT = /hit your (?:\S+ )*limit|usage limit reached|credit balance is too low|spend limit/i;
const RESET = /\bresets ([^·\n]+?)\s*(?:·|$)/im;
const RATE_LIMIT = /\b429\b|rate limit/i;
const CONTEXT_OVERFLOW = /prompt is too long|context (?:window|limit)/i;
const NOT_SIGNED_IN =
  /not logged in|please run \/login|invalid api key|failed to authenticate|oauth token (?:expired|revoked)/i;
const MODEL_NOT_FOUND = /issue with the selected model(?: \(([^)\s]+)\))?/i;
const DROPPED =
  /connection (?:closed|error|reset|refused)|unable to connect|request timed out|stream (?:ended|closed|idle)/i;

/** Why a turn of Claude Code did not complete; `null` when it did. */
export function explainClaude(ending: Ending): Cause | null {
  const { exit, report } = ending;
  const succeeded = exit.code === 0 && report.finished && report.error === null;
  if (succeeded) return ending.answered ? null : { kind: 'no-answer' };
  const printed = `${ending.stderrTail}\n${ending.stdoutTail}`;
  const failure = report.error === null ? null : parseFailure(report.error);
  if (ending.resuming !== null && !ending.sessionReported && UNKNOWN_SESSION.test(`${printed}\n${failure?.text}`)) {
    return { kind: 'session-rejected', sessionId: ending.resuming };
  }
  if (failure === null && REFUSED_AS_ROOT.test(printed)) {
    return { kind: 'denied', what: 'to skip its permission checks, which it does not do as root' };
  }
  const known = classify(failure ?? { kind: 'unknown', resetsAt: null, text: printed }, ending);
  if (known !== null) return known;
  if (failure !== null) return { kind: 'exit', ...exit, detail: detailOf(failure.text) };
  if (exit.code !== 0) return { kind: 'exit', ...exit, detail: null };
  if (!ending.answered) return { kind: 'no-answer' };
  return { kind: 'exit', ...exit, detail: 'its output ended before it reported the end of the turn' };
}

/** By the kind of error that the stream named, and by its words where it named none or one that says little. */
function classify(failure: Failure, ending: Ending): Cause | null {
  const { kind, text } = failure;
  if (kind === 'model_not_found' || MODEL_NOT_FOUND.test(text)) {
    return { kind: 'model-not-found', model: MODEL_NOT_FOUND.exec(text)?.[1] ?? ending.model };
  }
  if (kind === 'billing_error' || USAGE_LIMIT.test(text)) return usageLimit(failure);
  if (kind === 'authentication_failed' || NOT_SIGNED_IN.test(text)) return { kind: 'auth' };
  if (CONTEXT_OVERFLOW.test(text)) return { kind: 'context-overflow' };
  if (kind === 'rate_limit' || RATE_LIMIT.test(text)) return { kind: 'rate-limit' };
  const dropped = text.split('\n').find((line) => DROPPED.test(line));
  return dropped === undefined ? null : { kind: 'dropped', detail: detailOf(dropped) };
}

function usageLimit({ text, resetsAt }: Failure): Cause {
  return { kind: 'usage-limit', resetsAt: RESET.exec(text)?.[1] ?? null, resumesAt: resetsAt };
}

/** Its words without the name that it gives to every failure. */
function detailOf(text: string): string {
  return sentencePart(text.replace(/^API Error: /, ''));
}
