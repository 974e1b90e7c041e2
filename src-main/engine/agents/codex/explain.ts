import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { sentencePart } from '../reading.ts';
import { isShape, shapeAt, textAt } from '../shape.ts';
import { resetTime } from './resetTime.ts';

/** Each pattern is a wording of codex-cli 0.171, recorded in `transcripts/`. */
const UNKNOWN_SESSION = /thread\/resume failed|no rollout found for thread id/i;
const USAGE_LIMIT =
  /hit your usage limit|usage limit has been reached|quota exceeded|to use codex with your chatgpt plan/i;
const RESET = /\btry again ((?:at|in|after|on) [^.]+)/i;
const RATE_LIMIT = /\b429\b|too many requests|rate limit/i;
const MODEL_NOT_FOUND =
  /model_not_found|model [`'"]?([^`'"\s]+)[`'"]? (?:does not exist|is not supported|is not available)/i;
const CONTEXT_OVERFLOW = /context window|context_length_exceeded|maximum context length/i;
const NOT_SIGNED_IN =
  /\b401\b|not logged in|not signed in|codex login|please (?:log|sign) in|(?:log|sign) (?:out and )?(?:log|sign)? ?in again|access token could not be refreshed|refresh token|missing environment variable|(?:incorrect|invalid) api key/i;
const DROPPED =
  /stream disconnected|connection (?:refused|reset|closed|failed|error)|error sending request|network error|stream closed before/i;
const TOO_LONG = /input exceeds the maximum length of (\d+) characters/i;

/** Why a turn of Codex did not complete; `null` when it did. */
export function explainCodex(ending: Ending): Cause | null {
  const { exit, report } = ending;
  const succeeded = exit.code === 0 && report.finished && report.error === null;
  if (succeeded) return ending.answered ? null : { kind: 'no-answer' };
  const printed = `${ending.stderrTail}\n${ending.stdoutTail}`;
  if (ending.resuming !== null && !ending.sessionReported && UNKNOWN_SESSION.test(printed)) {
    return { kind: 'session-rejected', sessionId: ending.resuming };
  }
  const known = classify(report.error ?? printed, ending);
  if (known !== null) return known;
  if (exit.code === 0 && report.error === null) {
    if (!ending.answered) return { kind: 'no-answer' };
    return { kind: 'exit', ...exit, detail: 'its output ended before it reported the end of the turn' };
  }
  return { kind: 'exit', ...exit, detail: detailOf(report.error, printed) };
}

function classify(text: string, { model, at }: Ending): Cause | null {
  if (USAGE_LIMIT.test(text)) {
    const resetsAt = RESET.exec(text)?.[1]?.trim() ?? null;
    return { kind: 'usage-limit', resetsAt, resumesAt: resetsAt === null ? null : resetTime(resetsAt, at) };
  }
  const unknownModel = MODEL_NOT_FOUND.exec(text);
  if (unknownModel !== null) return { kind: 'model-not-found', model: unknownModel[1] ?? model };
  if (CONTEXT_OVERFLOW.test(text)) return { kind: 'context-overflow' };
  if (NOT_SIGNED_IN.test(text)) return { kind: 'auth' };
  if (RATE_LIMIT.test(text)) return { kind: 'rate-limit' };
  if (DROPPED.test(text)) return { kind: 'dropped', detail: sentencePart(droppedLine(text)) };
  return null;
}

/** Of several lines the one that tells of the break. */
function droppedLine(text: string): string {
  return text.split('\n').find((line) => DROPPED.test(line)) ?? text;
}

function detailOf(error: string | null, printed: string): string | null {
  const tooLong = TOO_LONG.exec(error ?? printed);
  if (tooLong !== null) {
    return `the message is longer than Codex takes at once (${Number(tooLong[1]).toLocaleString('en')} characters)`;
  }
  return error === null ? null : sentencePart(providerMessage(error) ?? error);
}

/** codex-cli 0.171 passes the body of a refused request on as it is: JSON, with the words in `error.message`. */
function providerMessage(error: string): string | null {
  if (!error.startsWith('{')) return null;
  try {
    const body: unknown = JSON.parse(error);
    return isShape(body) ? textAt(shapeAt(body, 'error'), 'message') : null;
  } catch {
    // Not JSON after all: the text stands for itself.
    return null;
  }
}
