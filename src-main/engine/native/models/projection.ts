import { readFile } from 'node:fs/promises';
import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { AssistantMessage, ChatMessage, ToolMessage, UserAttachment, UserMessage } from '../messages.ts';
import type { ModelRequest } from '../model.ts';

/** Where an image that a tool showed stands in a request. */
export type ToolImages = 'in-result' | 'after-results';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** A request as the providers' libraries take it. Images are read from their durable copies. */
export async function projectPrompt(request: ModelRequest, toolImages: ToolImages): Promise<LanguageModelV3Message[]> {
  const prompt: LanguageModelV3Message[] = [];
  if (request.system !== null && request.system !== '') prompt.push({ role: 'system', content: request.system });
  const names = toolNames(request.messages);
  for (let index = 0; index < request.messages.length; index++) {
    const message = request.messages[index];
    if (message === undefined) break;
    if (message.role === 'user') prompt.push(await projectUser(message));
    else if (message.role === 'assistant') prompt.push(projectAssistant(message));
    else {
      const results = resultsFrom(request.messages, index);
      prompt.push(...(await projectResults(results, names, toolImages)));
      index += results.length - 1;
    }
  }
  // A message with nothing in it is refused by some providers and means nothing to the others.
  return prompt.filter((message) => message.content.length > 0);
}

function toolNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** The results of one batch stand together. */
function resultsFrom(messages: readonly ChatMessage[], start: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let index = start; ; index++) {
    const message = messages[index];
    if (message?.role !== 'tool') return results;
    results.push(message);
  }
}

/** The text first, then the images: that is the order in which every provider has them. */
async function projectUser({ text, attachments }: UserMessage): Promise<LanguageModelV3Message> {
  const images = await Promise.all(attachments.map(imagePart));
  return { role: 'user', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images] };
}

function projectAssistant({ text, thinking, calls }: AssistantMessage): LanguageModelV3Message {
  const content: AssistantContent = [];
  // Thinking without the signature of the provider that wrote it is refused by that provider, and foreign to the others.
  if (thinking !== null && thinking.signature !== null) {
    content.push({
      type: 'reasoning',
      text: thinking.text,
      providerOptions: { anthropic: { signature: thinking.signature } },
    });
  }
  if (text !== '') content.push({ type: 'text', text });
  for (const { id, name, input } of calls) content.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
  return { role: 'assistant', content };
}

async function projectResults(
  results: readonly ToolMessage[],
  names: ReadonlyMap<string, string>,
  toolImages: ToolImages,
): Promise<LanguageModelV3Message[]> {
  const parts: LanguageModelV3ToolResultPart[] = [];
  const images: LanguageModelV3FilePart[] = [];
  for (const result of results) {
    const toolName = names.get(result.callId) ?? 'unknown';
    const output = await projectOutput(result, toolImages);
    parts.push({ type: 'tool-result', toolCallId: result.callId, toolName, output });
    if (toolImages === 'after-results') images.push(...(await Promise.all(result.attachments.map(imagePart))));
  }
  const following: LanguageModelV3Message[] =
    images.length === 0
      ? []
      : [{ role: 'user', content: [{ type: 'text', text: 'What the tools showed:' }, ...images] }];
  return [{ role: 'tool', content: parts }, ...following];
}

async function projectOutput(
  { text, status, attachments }: ToolMessage,
  toolImages: ToolImages,
): Promise<LanguageModelV3ToolResultPart['output']> {
  if (status !== 'ok') return { type: 'error-text', value: text };
  if (attachments.length === 0) return { type: 'text', value: text };
  if (toolImages === 'after-results') {
    const named = attachments.map(({ mime, name }) => `[${mime} “${name}” follows]`);
    return { type: 'text', value: [text, ...named].join('\n') };
  }
  const images = await Promise.all(attachments.map(imagePart));
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...images.map(({ data, mediaType }) => ({ type: 'image-data' as const, data: String(data), mediaType })),
    ],
  };
}

async function imagePart({ path, mime, name }: UserAttachment): Promise<LanguageModelV3FilePart> {
  return { type: 'file', mediaType: mime, filename: name, data: (await readFile(path)).toString('base64') };
}
