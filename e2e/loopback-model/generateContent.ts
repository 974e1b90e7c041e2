import { fields, items, textOf } from './json.ts';
import type { ModelInput, Protocol, RenderedStep, Renderer } from './protocol.ts';
import type { TokenCount } from './reply.ts';

const METHOD = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

/** Google's names for what went wrong, and the status that each goes with. */
const STATUS: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
};

/** Google's Gemini API as gemini-cli 0.61 speaks it: streamed as server-sent events, or whole. */
export const generateContent: Protocol = {
  id: 'generateContent',
  answers: (method, path) => method === 'POST' && METHOD.test(path),
  read,
  renderer: (_body, path) =>
    METHOD.exec(path)?.[2] === 'generateContent' ? new WholeRenderer() : new StreamRenderer(),
};

function read(body: unknown, path: string): ModelInput {
  const request = fields(body);
  const parts = items(request.contents)
    .map(fields)
    .filter((content) => content.role === 'user')
    .flatMap((content) => items(content.parts))
    .map(fields);
  const results = parts.filter((part) => 'functionResponse' in part).map((part) => fields(part.functionResponse));
  const images = [...parts, ...results.flatMap((result) => items(result.parts)).map(fields)].map((part) =>
    fields(part.inlineData),
  );
  return {
    model: METHOD.exec(path)?.[1] ?? null,
    instructions: items(fields(request.systemInstruction).parts)
      .map((part) => textOf(fields(part).text))
      .join('\n'),
    userTexts: parts.filter((part) => typeof part.text === 'string').map((part) => textOf(part.text)),
    images: images
      .filter((data) => typeof data.data === 'string')
      .map((data) => ({ mime: textOf(data.mimeType), bytes: Buffer.from(textOf(data.data), 'base64') })),
    toolResults: results.map((result) => ({ callId: textOf(result.id), output: outputText(fields(result.response)) })),
    tools: items(request.tools)
      .flatMap((tool) => items(fields(tool).functionDeclarations))
      .map((tool) => textOf(fields(tool).name))
      .filter((name) => name !== ''),
  };
}

/** What a tool gave back stands in `output`, what went wrong with it in `error`. */
function outputText(response: Readonly<Record<string, unknown>>): string {
  return textOf(response.output) || textOf(response.error) || JSON.stringify(response);
}

/** One piece of a reply, as the API words it. */
function chunks(step: RenderedStep): readonly Readonly<Record<string, unknown>>[] {
  const said = (part: unknown) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] });
  switch (step.kind) {
    case 'text':
      return step.deltas.map((text) => said({ text }));
    case 'thinking':
      return [said({ text: step.text, thought: true })];
    case 'tool':
      return [said({ functionCall: { id: step.callId, name: step.name, args: step.input } })];
    case 'fail':
      return [{ error: { code: STATUS[step.code] ?? 500, status: step.code, message: step.message } }];
  }
}

function ending(usage: TokenCount): Readonly<Record<string, unknown>> {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: usage.cachedInputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  };
}

class StreamRenderer implements Renderer {
  readonly contentType = 'text/event-stream';
  #failed = false;

  begin(): string[] {
    return [];
  }

  step(step: RenderedStep): string[] {
    // A failure stands in the stream without the `data:` of an event.
    if (step.kind === 'fail') this.#failed = true;
    return chunks(step).map((chunk) => ('error' in chunk ? `${JSON.stringify(chunk)}\n` : event(chunk)));
  }

  end(usage: TokenCount): string[] {
    return this.#failed ? [] : [event(ending(usage))];
  }
}

function event(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

/** The unstreamed form: all parts in one body, at the end. */
class WholeRenderer implements Renderer {
  readonly contentType = 'application/json';
  readonly #parts: unknown[] = [];
  #failure: unknown = null;

  begin(): string[] {
    return [];
  }

  step(step: RenderedStep): string[] {
    for (const chunk of chunks(step)) {
      if ('error' in chunk) this.#failure = chunk;
      for (const candidate of items(chunk.candidates)) {
        this.#parts.push(...items(fields(fields(candidate).content).parts));
      }
    }
    return [];
  }

  end(usage: TokenCount): string[] {
    if (this.#failure !== null) return [JSON.stringify(this.#failure)];
    const content = { role: 'model', parts: this.#parts };
    const candidates = [{ index: 0, content, finishReason: 'STOP' }];
    return [JSON.stringify({ ...ending(usage), candidates })];
  }
}
