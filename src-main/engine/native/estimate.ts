import type { ChatMessage, UserAttachment } from './messages.ts';
import type { ModelRequest, ToolSpec } from './model.ts';

/**
 * How many tokens a request has, as far as that can be said without the provider's tokenizer: rather too many than too
 * few. What the provider itself counted in the newest answer takes the place of all that was estimated before it.
 */

/** Characters of English, code or JSON for one token; other scripts are counted as a token for each character. */
const ASCII_CHARACTERS_PER_TOKEN = 4;
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 8;
const RESULT_TOKENS = 16;
const TOOL_SPEC_TOKENS = 12;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tokens of an image, as each provider's documentation counts them (2025). */
export const IMAGE_FORMULAS = {
  /** Scaled so that its long edge has at most 1568 pixels, then a token for each 750 pixels; at most about 1600. */
  anthropic(size: Size): number {
    const { width, height } = scaleToFit(size, 1568, 1568);
    return Math.min(1600, Math.ceil((width * height) / 750));
  },
  /** Scaled into 2048 × 2048, then to a short edge of at most 768; 170 for each tile of 512 pixels, and 85. */
  openaiTiles(size: Size): number {
    const inSquare = scaleToFit(size, 2048, 2048);
    const { width, height } = scaleToFit(inSquare, 768, 2048);
    return 85 + 170 * tiles(width, 512) * tiles(height, 512);
  },
  /** The smaller models: a token for each patch of 32 pixels, at most 1536, times up to 2.46. */
  openaiPatches(size: Size): number {
    return Math.ceil(Math.min(1536, tiles(size.width, 32) * tiles(size.height, 32)) * 2.46);
  },
  /** 258 up to 384 pixels; else 258 for each tile, whose edge grows with the image: never more than 768 pixels. */
  google({ width, height }: Size): number {
    if (width <= 384 && height <= 384) return 258;
    const edge = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
    return 258 * Math.min(GOOGLE_MOST_TILES, tiles(width, edge) * tiles(height, edge));
  },
};

/** Our own end of the count: nothing documents one, and a long banner would otherwise fill a window. */
const GOOGLE_MOST_TILES = 16;

/** The greatest count of all formulas: what is behind a base URL is not known. */
export function imageTokens(image: Size): number {
  const size = { width: Math.max(1, image.width), height: Math.max(1, image.height) };
  return Math.max(...Object.values(IMAGE_FORMULAS).map((formula) => formula(size)));
}

export function textTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x80) ascii += 1;
  return Math.ceil(ascii / ASCII_CHARACTERS_PER_TOKEN) + (text.length - ascii);
}

export function attachmentTokens(attachments: readonly UserAttachment[]): number {
  return attachments.reduce((sum, image) => sum + imageTokens(image), 0);
}

/** Of one message as it is sent. */
export function messageTokens(message: ChatMessage): number {
  const text = MESSAGE_TOKENS + textTokens(message.text);
  switch (message.role) {
    case 'user':
      return text + attachmentTokens(message.attachments);
    case 'tool':
      return text + RESULT_TOKENS + attachmentTokens(message.attachments);
    case 'assistant': {
      const thinking = message.thinking === null ? 0 : textTokens(message.thinking.text);
      const signature = textTokens(message.thinking?.signature ?? '');
      const calls = message.calls.map(
        ({ name, input }) => CALL_TOKENS + textTokens(name) + textTokens(jsonText(input)),
      );
      return text + thinking + signature + calls.reduce((sum, tokens) => sum + tokens, 0);
    }
  }
}

export function messagesTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/** Of what is sent besides the messages. */
export function fixedTokens(request: Pick<ModelRequest, 'system' | 'tools'>): number {
  const spec = (tool: ToolSpec) =>
    TOOL_SPEC_TOKENS +
    textTokens(tool.name) +
    textTokens(tool.description) +
    // Parsed JSON Schema: written as it is sent.
    textTokens(jsonText(tool.inputSchema));
  return textTokens(request.system ?? '') + request.tools.reduce((sum, tool) => sum + spec(tool), 0);
}

export interface RequestEstimate {
  /** The best that is known. */
  readonly tokens: number;
  /**
   * How many real tokens one estimated token stood for where the provider counted; 1 where it did not, or where it
   * counted so little that its own frame around the messages is most of it.
   */
  readonly scale: number;
}

/** Text that tokenizers find hard, and providers that count something else, keep within these. */
const LEAST_SCALE = 0.25;
const GREATEST_SCALE = 4;
/** Estimated tokens from which on a provider's count says something about its tokenizer. */
const LEAST_SAMPLE_TOKENS = 500;

/** Of a whole request, anchored at the newest answer whose input the provider counted. */
export function estimateRequest(request: ModelRequest): RequestEstimate {
  const fixed = fixedTokens(request);
  const anchor = findAnchor(request.messages);
  if (anchor === null) return { tokens: fixed + messagesTokens(request.messages), scale: 1 };
  const before = fixed + messagesTokens(request.messages.slice(0, anchor.index));
  const after = messagesTokens(request.messages.slice(anchor.index + 1));
  const ratio = before < LEAST_SAMPLE_TOKENS ? 1 : anchor.input / before;
  const scale = Math.min(GREATEST_SCALE, Math.max(LEAST_SCALE, ratio));
  return { tokens: anchor.input + anchor.output + after, scale };
}

function findAnchor(messages: readonly ChatMessage[]): { index: number; input: number; output: number } | null {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role !== 'assistant') continue;
    const input = message.usage?.inputTokens ?? 0;
    // Servers that do not count say 0.
    if (input <= 0) continue;
    // What was thought is counted as output and is not always sent again: the message as it is, is what goes in next.
    return { index, input, output: messageTokens(message) };
  }
  return null;
}

/** Scaled down, never up, until its short edge has at most `short` pixels and its long one at most `long`. */
function scaleToFit({ width, height }: Size, short: number, long: number): Size {
  const factor = Math.min(1, short / Math.min(width, height), long / Math.max(width, height));
  return { width: width * factor, height: height * factor };
}

function tiles(length: number, edge: number): number {
  // A hair over the edge is rounding, not another tile.
  return Math.max(1, Math.ceil(length / edge - 1e-9));
}

/** JSON of anything; what has none is empty. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A circle or a BigInt: nothing that a request can hold either.
    return '';
  }
}
