import { fields, items, textOf } from './json.ts';
import type { ModelInput, Protocol, RenderedStep, Renderer } from './protocol.ts';
import type { TokenCount } from './reply.ts';

/** The Anthropic Messages API as Claude Code 2.1.197 speaks it: streamed, and whole where `stream` is not asked for. */
export const messages: Protocol = {
  id: 'messages',
  answers: (method, path) => method === 'POST' && path.endsWith('/v1/messages'),
  read,
  renderer: (body) => (fields(body).stream === true ? new StreamedMessage(body) : new WholeMessage(body)),
};

function read(body: unknown): ModelInput {
  const request = fields(body);
  const parts = items(request.messages)
    .map(fields)
    .filter((message) => message.role === 'user')
    .flatMap((message) => contentOf(message.content));
  const results = parts.filter((part) => part.type === 'tool_result');
  // What a tool gave back can hold images too: that is how a picture is read from a path.
  const all = parts.flatMap((part) => (part.type === 'tool_result' ? contentOf(part.content) : [part]));
  return {
    model: typeof request.model === 'string' ? request.model : null,
    instructions: contentOf(request.system)
      .map((part) => textOf(part.text))
      .join('\n'),
    userTexts: parts.filter((part) => part.type === 'text').map((part) => textOf(part.text)),
    images: all.flatMap((part) => (part.type === 'image' ? imageIn(fields(part.source)) : [])),
    toolResults: results.map((part) => ({
      callId: textOf(part.tool_use_id),
      output: contentOf(part.content)
        .map((inner) => textOf(inner.text))
        .join(''),
    })),
    tools: items(request.tools)
      .map((tool) => textOf(fields(tool).name))
      .filter((name) => name !== ''),
  };
}

/** A content that is only text may stand there as a string. */
function contentOf(content: unknown): Readonly<Record<string, unknown>>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : items(content).map(fields);
}

function imageIn(source: Readonly<Record<string, unknown>>): ModelInput['images'] {
  if (source.type !== 'base64') return [];
  return [{ mime: textOf(source.media_type), bytes: Buffer.from(textOf(source.data), 'base64') }];
}

let minted = 0;

/** The beginning of every reply; the content follows. */
function envelope(body: unknown) {
  return {
    id: `msg_loopback_${++minted}`,
    type: 'message',
    role: 'assistant',
    model: textOf(fields(body).model),
    stop_sequence: null,
  };
}

function tokens(usage: TokenCount) {
  return {
    // Unlike other protocols, this one counts what was read from the cache beside the input and not in it.
    input_tokens: usage.inputTokens - usage.cachedInputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
  };
}

type Content = Exclude<RenderedStep, { kind: 'fail' }>;

/** A content block as it begins, as it is when it is complete, and what is added on the way. */
function blockOf(step: Content): { empty: object; whole: object; deltas: readonly object[] } {
  switch (step.kind) {
    case 'text': {
      const deltas = step.deltas.map((text) => ({ type: 'text_delta', text }));
      return { empty: { type: 'text', text: '' }, whole: { type: 'text', text: step.deltas.join('') }, deltas };
    }
    case 'thinking': {
      const deltas = [
        { type: 'thinking_delta', thinking: step.text },
        { type: 'signature_delta', signature: SIGNATURE },
      ];
      const whole = { type: 'thinking', thinking: step.text, signature: SIGNATURE };
      return { empty: { type: 'thinking', thinking: '', signature: '' }, whole, deltas };
    }
    case 'tool': {
      const block = { type: 'tool_use', id: step.callId, name: step.name };
      const deltas = [{ type: 'input_json_delta', partial_json: JSON.stringify(step.input) }];
      return { empty: { ...block, input: {} }, whole: { ...block, input: step.input }, deltas };
    }
  }
}

/** Any base64 will do: nobody checks it here. */
const SIGNATURE = 'bG9vcGJhY2s=';

function errorBody(code: string, message: string) {
  return { type: 'error', error: { type: code, message } };
}

function event(payload: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

class StreamedMessage implements Renderer {
  readonly contentType = 'text/event-stream';
  #blocks = 0;
  #stopReason = 'end_turn';
  #failed = false;

  constructor(private readonly body: unknown) {}

  begin(): string[] {
    const usage = tokens({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });
    return [
      event({ type: 'message_start', message: { ...envelope(this.body), content: [], stop_reason: null, usage } }),
    ];
  }

  step(step: RenderedStep): string[] {
    if (step.kind === 'fail') {
      this.#failed = true;
      return [event(errorBody(step.code, step.message))];
    }
    if (step.kind === 'tool') this.#stopReason = 'tool_use';
    const index = this.#blocks++;
    const { empty, deltas } = blockOf(step);
    return [
      event({ type: 'content_block_start', index, content_block: empty }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ];
  }

  end(usage: TokenCount): string[] {
    if (this.#failed) return [];
    const delta = { stop_reason: this.#stopReason, stop_sequence: null };
    return [event({ type: 'message_delta', delta, usage: tokens(usage) }), event({ type: 'message_stop' })];
  }
}

class WholeMessage implements Renderer {
  readonly contentType = 'application/json';
  readonly #content: object[] = [];
  #stopReason = 'end_turn';
  #failure: object | null = null;

  constructor(private readonly body: unknown) {}

  begin(): string[] {
    return [];
  }

  step(step: RenderedStep): string[] {
    if (step.kind === 'fail') this.#failure ??= errorBody(step.code, step.message);
    else this.#content.push(blockOf(step).whole);
    if (step.kind === 'tool') this.#stopReason = 'tool_use';
    return [];
  }

  end(usage: TokenCount): string[] {
    const content = this.#content;
    const message = { ...envelope(this.body), content, stop_reason: this.#stopReason, usage: tokens(usage) };
    return [JSON.stringify(this.#failure ?? message)];
  }
}
