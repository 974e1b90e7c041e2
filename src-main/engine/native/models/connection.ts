import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Model, ModelChunk, ModelRequest } from '../model.ts';
import { readChunks } from './chunks.ts';
import { modelFailure } from './failures.ts';
import { projectPrompt, type ToolImages } from './projection.ts';

/** Where a model answers, and as what. */
export interface ModelConnection {
  readonly protocol: 'openai-compatible' | 'anthropic' | 'google';
  /** With its version segment, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** `null` where none is wanted, as by a local server. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Tokens that a request and its reply may have together. */
  readonly contextWindow: number;
  /** Tokens of one reply; `null` leaves it to the provider. */
  readonly maxOutputTokens: number | null;
}

/** Some local servers refuse a request without a key although they look at none. */
const NO_KEY = 'none';

/**
 * A model behind a connection. The providers' own libraries speak the protocols; nothing here tries again by itself, since
 * only the turn knows whether anything was shown already.
 */
export function openModel(connection: ModelConnection): Model {
  const model = languageModel(connection);
  return {
    id: connection.model,
    contextWindow: connection.contextWindow,
    stream: (request, signal) => streamReply(connection, model, request, signal),
  };
}

function languageModel({ protocol, baseUrl, apiKey, model }: ModelConnection): LanguageModelV3 {
  const settings = { baseURL: baseUrl, apiKey: apiKey ?? NO_KEY };
  switch (protocol) {
    case 'anthropic':
      return createAnthropic(settings)(model);
    case 'google':
      return createGoogleGenerativeAI(settings)(model);
    case 'openai-compatible':
      return createOpenAICompatible({ ...settings, name: 'openai-compatible', includeUsage: true })(model);
  }
}

/** Only Anthropic's protocol takes an image as the result of a tool; elsewhere it follows as the operator's. */
const TOOL_IMAGES: Readonly<Record<ModelConnection['protocol'], ToolImages>> = {
  anthropic: 'in-result',
  google: 'after-results',
  'openai-compatible': 'after-results',
};

async function* streamReply(
  { protocol, maxOutputTokens }: ModelConnection,
  model: LanguageModelV3,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk> {
  try {
    const { stream } = await model.doStream({
      prompt: await projectPrompt(request, TOOL_IMAGES[protocol]),
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        inputSchema,
      })),
      abortSignal: signal,
      ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    });
    yield* readChunks(stream);
  } catch (error) {
    signal.throwIfAborted();
    throw modelFailure(error);
  }
}
