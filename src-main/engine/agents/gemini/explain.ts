import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { parseEvent, sentencePart } from '../reading.ts';
import { shapeAt, textAt } from '../shape.ts';
import { durationMs } from './resetTime.ts';

/** Each pattern is a wording of gemini-cli 0.61 or of Google's API as it passes it on; recorded in `transcripts/`. */
const UNKNOWN_SESSION = /Error resuming session: (?:Invalid session identifier|No previous sessions found)/;
const API_ERROR = /^\[API Error: (.*?)\]?(?:\nPlease wait and try again later\..*)?$/s;
const EXHAUSTED =
  /exhausted your (?:daily quota|capacity)|quota will reset|limit:\s*0(?![\d.])|insufficient .*credits/i;
const WAIT = /(?:quota will reset|suggested retry|please retry) (after|in) ((?:\d+(?:\.\d+)?(?:ms|[dhms]))+)/i;
const RATE_LIMIT =
  /\b429\b|RESOURCE_EXHAUSTED|resource has been exhausted|exceeded your current quota|rate limit|no capacity available/i;
const MODEL_NOT_FOUND = /models\/(\S+) is not found|model not found|requested entity was not found/i;
const CONTEXT_OVERFLOW = /token count \(?[\d,]+\)? exceeds the maximum/i;
const NOT_SIGNED_IN =
  /UNAUTHENTICATED|API key (?:not valid|expired|was reported)|API_KEY_INVALID|invalid authentication credentials|invalid auth method selected|set an Auth method|must specify the GEMINI_API_KEY|manual authorization is required|verify your account/i;
const DROPPED =
  /^(?:terminated|fetch failed)$|ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|socket hang up|other side closed|fetch failed sending request|stream ended without a finish reason/i;
const EMPTY = /returned an empty response with no text|reasoning thoughts but no final response/i;
const YOLO_DISABLED = /YOLO mode is disabled by/i;
/** `FatalAuthenticationError`. */
const AUTH_EXIT_CODE = 41;
/** The longest that it waits by itself; what takes longer is a used-up quota to it, and to us. */
const MAX_OWN_WAIT_MS = 300_000;

/** Why a turn of the Gemini CLI did not complete; `null` when it did. */
export function explainGemini(ending: Ending): Cause | null {
  const { exit, report } = ending;
  const succeeded = exit.code === 0 && report.finished && report.error === null;
  if (succeeded) return ending.answered ? null : { kind: 'no-answer' };
  const printed = `${ending.stderrTail}\n${ending.stdoutTail}`;
  if (ending.resuming !== null && !ending.sessionReported && UNKNOWN_SESSION.test(printed)) {
    return { kind: 'session-rejected', sessionId: ending.resuming };
  }
  const said = report.error === null ? null : innerMessage(report.error);
  const known = classify(said ?? printed, ending);
  if (known !== null) return known;
  if (exit.code === 0 && report.error === null) {
    if (!ending.answered) return { kind: 'no-answer' };
    return { kind: 'exit', ...exit, detail: 'its output ended before it reported the end of the turn' };
  }
  return { kind: 'exit', ...exit, detail: said === null ? null : sentencePart(said) };
}

function classify(text: string, { exit, model, at, report }: Ending): Cause | null {
  if (report.error !== null && EMPTY.test(text)) return { kind: 'no-answer' };
  const [, preposition, length] = WAIT.exec(text) ?? [];
  const wait = length === undefined ? null : durationMs(length);
  if (EXHAUSTED.test(text) || (wait !== null && wait > MAX_OWN_WAIT_MS)) {
    const resetsAt = length === undefined ? null : `${preposition} ${length}`;
    return { kind: 'usage-limit', resetsAt, resumesAt: wait === null ? null : at + wait };
  }
  const unknownModel = MODEL_NOT_FOUND.exec(text);
  if (unknownModel !== null) return { kind: 'model-not-found', model: unknownModel[1] ?? model };
  if (CONTEXT_OVERFLOW.test(text)) return { kind: 'context-overflow' };
  if (exit.code === AUTH_EXIT_CODE || NOT_SIGNED_IN.test(text)) return { kind: 'auth' };
  if (wait !== null || RATE_LIMIT.test(text)) return { kind: 'rate-limit' };
  if (YOLO_DISABLED.test(text)) return { kind: 'denied', what: 'its YOLO mode, which a seat that can write needs' };
  const broken = text.split('\n').find((line) => DROPPED.test(line));
  return broken === undefined ? null : { kind: 'dropped', detail: sentencePart(broken) };
}

/** It wraps what the API said, which may itself be JSON with the words in `error.message`. */
function innerMessage(error: string): string {
  const inner = API_ERROR.exec(error)?.[1] ?? error;
  const body = parseEvent(inner);
  if (body === null) return inner;
  const { message, status } = {
    message: textAt(shapeAt(body, 'error'), 'message'),
    status: shapeAt(body, 'error').status,
  };
  if (message === null) return inner;
  return status === 'UNAUTHENTICATED' ? `${message} (${status})` : message;
}
