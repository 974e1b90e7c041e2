import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Ending } from '../agent.ts';
import { sentencePart } from '../reading.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Each pattern is a wording of opencode 1.18 or of a provider that it passes on, recorded in `transcripts/`. */
const UNKNOWN_SESSION = /\bSession not found\b/;
const REJECTED = /^The user rejected permission to use this specific tool call(?:: (.+))?/s;
/** Goes to stderr when nobody can be asked. */
const QUESTION = /permission requested: (\w+) \((.*)\); auto-rejecting/g;
const USAGE_LIMIT =
  /insufficient_quota|UsageLimitError|usage[ _]limit|usage exceeded|CreditsError|insufficient (?:balance|credit)|\bHTTP 402\b|exceeded your (?:current )?quota|quota exceeded|usage_not_included|with your ChatGPT plan/i;
const RESET = /\b(?:resets?|try again|available again) ((?:at|in|on|after) [^.,()]+)/i;
const SPAN = /^in (?:(\d+) days?)? ?(?:(\d+) hours?)? ?(?:(\d+) minutes?)?$/;
const MODEL_NOT_FOUND =
  /ProviderModelNotFoundError|model_not_found|\bmodel\b.{0,120}\b(?:does not exist|not found|is not supported|is not available)\b/i;
const NAMED_MODEL = /ModelNotFoundError: Model not found: (\S+?)\.(?=[\s)"\\]|$)|[Mm]odel [`'"]([^`'"]+)[`'"]/;
const CONTEXT_OVERFLOW = /ContextOverflowError|context_length_exceeded|maximum context length|\bHTTP 413\b/i;
const NOT_SIGNED_IN =
  /\bHTTP 40[13]\b|ProviderAuthError|LoadAPIKeyError|invalid_api_key|API key is missing|opencode auth login/i;
const RATE_LIMIT = /\bHTTP 429\b|rate[ _-]?limit|too many requests/i;
const DROPPED =
  /Cannot connect to API|socket connection|socket hang up|connection (?:refused|reset|closed|lost|error)|network error|ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|timed out/i;
/** Says nothing; the reason stands in the log on stderr. */
const SERVER_ERROR = /^Unexpected server error\b/;
const LOGGED = /message=failed\b.*? error="((?:[^"\\]|\\.)*)"/;

/**
 * Why a turn of OpenCode did not complete; `null` when it did. It exits with 1 also when an error was reported on the way
 * and the turn went on to its end.
 */
export function explainOpenCode(ending: Ending): Cause | null {
  const { exit, report } = ending;
  const finished = report.finished && report.error === null;
  if (finished && (exit.code === 0 || (exit.code === 1 && ending.answered))) {
    return ending.answered ? null : { kind: 'no-answer' };
  }
  const printed = `${ending.stderrTail}\n${ending.stdoutTail}`;
  if (ending.resuming !== null && !ending.sessionReported && UNKNOWN_SESSION.test(printed)) {
    return { kind: 'session-rejected', sessionId: ending.resuming };
  }
  const said = report.error !== null && SERVER_ERROR.test(report.error) ? loggedError(printed) : report.error;
  const rejected = REJECTED.exec(said ?? '');
  if (rejected !== null) return { kind: 'denied', what: sentencePart(rejected[1] ?? lastQuestion(printed)) };
  const known = classify(said ?? printed, ending);
  if (known !== null) return known;
  if (exit.code === 0 && report.error === null) {
    if (!ending.answered) return { kind: 'no-answer' };
    return { kind: 'exit', ...exit, detail: 'its output ended before it reported the end of the turn' };
  }
  return { kind: 'exit', ...exit, detail: said === null ? null : sentencePart(said) };
}

function classify(text: string, { model, at }: Ending): Cause | null {
  // Its own provider refuses an empty account with status 401.
  if (USAGE_LIMIT.test(text)) {
    const resetsAt = RESET.exec(text)?.[1]?.trim() ?? null;
    return { kind: 'usage-limit', resetsAt, resumesAt: resetsAt === null ? null : momentOf(resetsAt, at) };
  }
  if (CONTEXT_OVERFLOW.test(text)) return { kind: 'context-overflow' };
  if (MODEL_NOT_FOUND.test(text)) {
    const named = NAMED_MODEL.exec(text);
    return { kind: 'model-not-found', model: model ?? named?.[1] ?? named?.[2] ?? null };
  }
  if (NOT_SIGNED_IN.test(text)) return { kind: 'auth' };
  if (RATE_LIMIT.test(text)) return { kind: 'rate-limit' };
  const dropped = text.split('\n').find((line) => DROPPED.test(line));
  return dropped === undefined ? null : { kind: 'dropped', detail: sentencePart(dropped) };
}

/** What was asked last. A model that makes the same call over and over is asked about, too. */
function lastQuestion(printed: string): string {
  const [, permission, patterns] = [...printed.matchAll(QUESTION)].at(-1) ?? [];
  if (permission === undefined) return 'a permission that nobody could be asked for';
  return permission === 'doom_loop' ? `the same call again and again (${patterns})` : `${permission} ${patterns}`;
}

/** opencode 1.18 words its own limits as “in 2 days 5 hours”; any other wording is the provider's, and no exact moment. */
function momentOf(wording: string, now: number): number | null {
  const [, days, hours, minutes] = SPAN.exec(wording) ?? [];
  const ms = Number(days ?? 0) * DAY_MS + Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
  return ms === 0 ? null : now + ms;
}

/** The words of the failure in opencode's log; all that was printed, when it has none. */
function loggedError(printed: string): string {
  return LOGGED.exec(printed)?.[1] ?? printed;
}
