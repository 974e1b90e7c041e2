import { fields, items, parseDataUrl, textOf } from './json.ts';
import type { ModelInput, Protocol, RenderedStep, Renderer } from './protocol.ts';
import type { TokenCount } from './reply.ts';

/** The OpenAI Responses API, streamed, as codex-cli 0.171 speaks it. */
export const responses: Protocol = {
  id: 'responses',
  answers: (method, path) => method === 'POST' && path.endsWith('/responses'),
  read,
  renderer: () => new ResponsesRenderer(),
};

function read(body: unknown): ModelInput {
  const request = fields(body);
  const input = items(request.input).map(fields);
  const userParts = input
    .filter((item) => item.role === 'user')
    .flatMap((item) => items(item.content))
    .map(fields);
  const results = input.filter(
    (item) => item.type === 'function_call_output' || item.type === 'custom_tool_call_output',
  );
  const resultParts = results.flatMap((item) => items(item.output)).map(fields);
  return {
    model: typeof request.model === 'string' ? request.model : null,
    instructions: textOf(request.instructions),
    userTexts: userParts.filter((part) => part.type === 'input_text').map((part) => textOf(part.text)),
    images: [...userParts, ...resultParts].flatMap((part) => {
      const image = part.type === 'input_image' ? parseDataUrl(textOf(part.image_url)) : null;
      return image === null ? [] : [image];
    }),
    toolResults: results.map((item) => ({ callId: textOf(item.call_id), output: outputText(item.output) })),
    tools: items(request.tools)
      .map(fields)
      .map((tool) => textOf(tool.name) || textOf(tool.type))
      .filter((name) => name !== ''),
  };
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  return items(output)
    .map((part) => textOf(fields(part).text))
    .join('');
}

class ResponsesRenderer implements Renderer {
  readonly contentType = 'text/event-stream';
  #items = 0;
  #sequence = 0;
  #failed = false;

  begin(): string[] {
    return [
      this.#event('response.created', { response: { id: 'resp_loopback', object: 'response', status: 'in_progress' } }),
    ];
  }

  step(step: RenderedStep): string[] {
    const index = this.#items++;
    switch (step.kind) {
      case 'text': {
        const id = `msg_${index}`;
        const text = step.deltas.join('');
        const place = { item_id: id, output_index: index, content_index: 0 };
        const item = (content: unknown[]) => ({ type: 'message', role: 'assistant', id, content });
        return [
          this.#event('response.output_item.added', { output_index: index, item: item([]) }),
          ...step.deltas.map((delta) => this.#event('response.output_text.delta', { ...place, delta })),
          this.#event('response.output_text.done', { ...place, text }),
          this.#event('response.output_item.done', {
            output_index: index,
            item: item([{ type: 'output_text', text, annotations: [] }]),
          }),
        ];
      }
      case 'thinking': {
        const item = { type: 'reasoning', id: `rs_${index}`, summary: [{ type: 'summary_text', text: step.text }] };
        const place = { item_id: item.id, output_index: index, summary_index: 0 };
        return [
          this.#event('response.output_item.added', { output_index: index, item: { ...item, summary: [] } }),
          this.#event('response.reasoning_summary_part.added', place),
          this.#event('response.reasoning_summary_text.delta', { ...place, delta: step.text }),
          this.#event('response.output_item.done', { output_index: index, item }),
        ];
      }
      case 'tool': {
        const item = {
          type: 'function_call',
          id: `fc_${index}`,
          call_id: step.callId,
          name: step.name,
          arguments: JSON.stringify(step.input),
        };
        return [
          this.#event('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } }),
          this.#event('response.output_item.done', { output_index: index, item }),
        ];
      }
      case 'fail':
        this.#failed = true;
        return [
          this.#event('response.failed', {
            response: {
              id: 'resp_loopback',
              object: 'response',
              status: 'failed',
              error: { code: step.code, message: step.message },
            },
          }),
        ];
    }
  }

  end(usage: TokenCount): string[] {
    if (this.#failed) return [];
    const tokens = {
      input_tokens: usage.inputTokens,
      input_tokens_details: { cached_tokens: usage.cachedInputTokens },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.inputTokens + usage.outputTokens,
    };
    return [
      this.#event('response.completed', {
        response: { id: 'resp_loopback', object: 'response', status: 'completed', usage: tokens },
      }),
    ];
  }

  #event(type: string, payload: Readonly<Record<string, unknown>>): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence++, ...payload })}\n\n`;
  }
}
