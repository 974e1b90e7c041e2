import { fields, items, parseDataUrl, textOf } from './json.ts';
import type { ModelInput, Protocol, RenderedStep, Renderer } from './protocol.ts';
import { type StreamedReply, say, stream, type TokenCount } from './reply.ts';

/** The OpenAI Chat Completions API, streamed and not, as opencode 1.18 speaks it to a provider of the operator's own. */
export const chatCompletions: Protocol = {
  id: 'chat-completions',
  answers: (method, path) => method === 'POST' && path.endsWith('/chat/completions'),
  read,
  renderer: (body) => (fields(body).stream === true ? new ChunkRenderer() : new WholeRenderer()),
  aside,
};

/** opencode 1.18 asks for the title of a new session beside its first turn, in a request of its own without tools. */
const TITLE_INSTRUCTIONS = 'You are a title generator';

function aside(body: unknown): StreamedReply | null {
  const { instructions, tools } = read(body);
  return tools.length === 0 && instructions.startsWith(TITLE_INSTRUCTIONS) ? stream(say('A loopback session')) : null;
}

function read(body: unknown): ModelInput {
  const request = fields(body);
  const messages = items(request.messages).map(fields);
  const withRole = (role: string) => messages.filter((message) => message.role === role);
  const userParts = withRole('user').flatMap(({ content }) => partsOf(content));
  const results = withRole('tool');
  return {
    model: typeof request.model === 'string' ? request.model : null,
    instructions: withRole('system')
      .flatMap(({ content }) => textsIn(content))
      .join('\n'),
    userTexts: textsIn(userParts),
    images: [...userParts, ...results.flatMap(({ content }) => partsOf(content))].flatMap((part) => {
      const image = part.type === 'image_url' ? parseDataUrl(textOf(fields(part.image_url).url)) : null;
      return image === null ? [] : [image];
    }),
    toolResults: results.map((message) => ({
      callId: textOf(message.tool_call_id),
      output: textsIn(message.content).join(''),
    })),
    tools: items(request.tools)
      .map((tool) => textOf(fields(fields(tool).function).name))
      .filter((name) => name !== ''),
  };
}

/** The parts of a message; one that is a plain text is one part. */
function partsOf(content: unknown): Readonly<Record<string, unknown>>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : items(content).map(fields);
}

function textsIn(content: unknown): string[] {
  return partsOf(content)
    .filter((part) => part.type === 'text')
    .map((part) => textOf(part.text));
}

const COMPLETION = { id: 'chatcmpl_loopback', created: 0, model: 'loopback' };

function usageOf({ inputTokens, cachedInputTokens, outputTokens }: TokenCount) {
  return {
    prompt_tokens: inputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

class ChunkRenderer implements Renderer {
  readonly contentType = 'text/event-stream';
  #calls = 0;
  #failed = false;

  begin(): string[] {
    return [this.#delta({ role: 'assistant', content: '' })];
  }

  step(step: RenderedStep): string[] {
    switch (step.kind) {
      case 'text':
        return step.deltas.map((content) => this.#delta({ content }));
      case 'thinking':
        return [this.#delta({ reasoning_content: step.text })];
      case 'tool': {
        const index = this.#calls++;
        const call = { index, id: step.callId, type: 'function', function: { name: step.name, arguments: '' } };
        return [
          this.#delta({ tool_calls: [call] }),
          this.#delta({ tool_calls: [{ index, function: { arguments: JSON.stringify(step.input) } }] }),
        ];
      }
      case 'fail':
        this.#failed = true;
        return [event({ error: { message: step.message, type: step.code, code: step.code } })];
    }
  }

  end(usage: TokenCount): string[] {
    const done = 'data: [DONE]\n\n';
    if (this.#failed) return [done];
    const reason = this.#calls > 0 ? 'tool_calls' : 'stop';
    return [
      this.#chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
      this.#chunk({ choices: [], usage: usageOf(usage) }),
      done,
    ];
  }

  #delta(delta: Readonly<Record<string, unknown>>): string {
    return this.#chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  }

  #chunk(payload: Readonly<Record<string, unknown>>): string {
    return event({ ...COMPLETION, object: 'chat.completion.chunk', ...payload });
  }
}

function event(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

/** The form without `stream`: nothing until the end, then the whole answer. */
class WholeRenderer implements Renderer {
  readonly contentType = 'application/json';
  readonly #text: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #calls: unknown[] = [];
  #error: unknown = null;

  begin(): string[] {
    return [];
  }

  step(step: RenderedStep): string[] {
    switch (step.kind) {
      case 'text':
        this.#text.push(...step.deltas);
        break;
      case 'thinking':
        this.#thoughts.push(step.text);
        break;
      case 'tool':
        this.#calls.push({
          id: step.callId,
          type: 'function',
          function: { name: step.name, arguments: JSON.stringify(step.input) },
        });
        break;
      case 'fail':
        this.#error = { message: step.message, type: step.code, code: step.code };
    }
    return [];
  }

  end(usage: TokenCount): string[] {
    if (this.#error !== null) return [JSON.stringify({ error: this.#error })];
    const message = {
      role: 'assistant',
      content: this.#text.join(''),
      ...(this.#thoughts.length === 0 ? {} : { reasoning_content: this.#thoughts.join('') }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    };
    const reason = this.#calls.length > 0 ? 'tool_calls' : 'stop';
    return [
      JSON.stringify({
        ...COMPLETION,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: reason }],
        usage: usageOf(usage),
      }),
    ];
  }
}
