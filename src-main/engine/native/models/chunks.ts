import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ModelUsage, ToolCall } from '../messages.ts';
import { type ModelChunk, ModelFailure, type StopReason } from '../model.ts';

/**
 * Reads a provider's stream. Calls are handed on when the reply is over, because only its end tells whether the token limit
 * cut the last one off.
 * @throws ModelFailure `dropped` when the stream ended without its protocol's end mark; what the provider reported otherwise
 */
export async function* readChunks(stream: ReadableStream<LanguageModelV3StreamPart>): AsyncGenerator<ModelChunk> {
  const calls: ToolCall[] = [];
  let finished = false;
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text', text: part.delta };
        break;
      case 'reasoning-delta':
      case 'reasoning-end': {
        const text = part.type === 'reasoning-delta' ? part.delta : '';
        const signature = signatureOf(part.providerMetadata);
        if (text !== '' || signature !== null) yield { type: 'thinking', text, signature };
        break;
      }
      case 'tool-input-start':
        yield { type: 'call-start', id: part.id, name: part.toolName };
        break;
      case 'tool-call':
        if (part.providerExecuted !== true) {
          calls.push({ id: part.toolCallId, name: part.toolName, input: parseInput(part.input) });
        }
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        if (part.finishReason.unified === 'other' && part.finishReason.raw === undefined) break;
        const stop = stopReason(part.finishReason);
        const last = calls.length - 1;
        for (const [index, call] of calls.entries()) {
          yield { type: 'call', call, truncated: stop.kind === 'max-tokens' && index === last };
        }
        yield { type: 'finish', stop, usage: usageOf(part.usage) };
        finished = true;
        break;
      }
      default:
        break;
    }
  }
  if (!finished) throw new ModelFailure('dropped', 'the reply ended before it was complete');
}

/** Arguments as the model wrote them; what is no JSON stays text, and the tool says that it is none. */
function parseInput(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    // The tool's own check of its input tells the model what is wrong with it.
    return input;
  }
}

function signatureOf(metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined): string | null {
  const signature = metadata?.anthropic?.signature;
  return typeof signature === 'string' ? signature : null;
}

function stopReason({ unified, raw }: LanguageModelV3FinishReason): StopReason {
  switch (unified) {
    case 'stop':
      return { kind: 'end' };
    case 'tool-calls':
      return { kind: 'tool-calls' };
    case 'length':
      return { kind: 'max-tokens' };
    case 'content-filter':
      return { kind: 'refusal' };
    default:
      return { kind: 'other', reason: raw ?? unified };
  }
}

/** `null` when the provider reported nothing at all; zeros in every field are nothing, too. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage | null {
  const usage = {
    inputTokens: inputTokens.total ?? null,
    outputTokens: outputTokens.total ?? null,
    cacheReadTokens: inputTokens.cacheRead ?? null,
    cacheWriteTokens: inputTokens.cacheWrite ?? null,
  };
  return Object.values(usage).some((tokens) => tokens !== null && tokens > 0) ? usage : null;
}
