import { types } from 'node:util';
import { APICallError } from '@ai-sdk/provider';
import { errorText } from '../../../../src-shared/failure.ts';
import { oneLine } from '../../../../src-shared/plainText.ts';
import { ModelFailure, type ModelFailureKind } from '../model.ts';

/** UTF-16 code units of a provider's words that are kept. */
const MAX_WORDS = 600;
const OVERFLOW =
  /context (?:length|window)|maximum context|context_length_exceeded|too many tokens|prompt is too long|exceeds the (?:model|maximum)/i;
const QUOTA = /insufficient_quota|exceeded your (?:current )?quota|usage limit|credit balance|billing/i;
const NO_MODEL = /model[^.]*(?:not found|does not exist|not supported)|model_not_found|not_found_error/i;
const OVERLOADED = /overloaded|high demand|server[ _]error|internal error/i;
const RATE = /rate[ _-]?limit/i;

/** What went wrong with a request, told apart by status and words; every other error is the network's. */
export function modelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (APICallError.isInstance(error)) return fromResponse(error);
  const words = oneLine(wordsOf(error), MAX_WORDS);
  // An error inside a stream comes as the provider's own object, without a status.
  const told = classifyWords(words);
  return new ModelFailure(told ?? (types.isNativeError(error) ? 'network' : 'other'), words, null, { cause: error });
}

function fromResponse(error: APICallError): ModelFailure {
  const body = error.responseBody ?? '';
  const words = oneLine(`${error.message} ${body}`.trim(), MAX_WORDS);
  return new ModelFailure(kindOf(error.statusCode, words), oneLine(error.message, MAX_WORDS), retryAfter(error), {
    cause: error,
  });
}

function kindOf(status: number | undefined, words: string): ModelFailureKind {
  // A response that was accepted and could not be read to its end.
  if (status === undefined || status < 300) return 'network';
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return QUOTA.test(words) ? 'usage-limit' : 'rate-limit';
  if (status === 404) return 'model-not-found';
  if (status >= 500 || status === 408) return 'server';
  if (status === 413 || OVERFLOW.test(words)) return 'context-overflow';
  if (QUOTA.test(words)) return 'usage-limit';
  if (NO_MODEL.test(words)) return 'model-not-found';
  return status === 400 || status === 422 ? 'bad-request' : 'other';
}

function classifyWords(words: string): ModelFailureKind | null {
  if (OVERFLOW.test(words)) return 'context-overflow';
  if (QUOTA.test(words)) return 'usage-limit';
  if (RATE.test(words)) return 'rate-limit';
  return OVERLOADED.test(words) ? 'server' : null;
}

function wordsOf(error: unknown): string {
  if (types.isNativeError(error) || typeof error === 'string') return errorText(error);
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return JSON.stringify(error) ?? String(error);
}

/** `Retry-After` as seconds or as a date, `retry-after-ms` as some providers send it; ms from now. */
function retryAfter({ responseHeaders }: APICallError): number | null {
  const ms = Number(responseHeaders?.['retry-after-ms'] ?? Number.NaN);
  if (ms >= 0) return ms;
  const value = responseHeaders?.['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
