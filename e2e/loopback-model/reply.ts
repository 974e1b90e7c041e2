import type { Gate } from './gate.ts';

/** What the scripted model says, whatever protocol the client speaks. */
export type Step =
  /** One message, sent as these pieces. */
  | { readonly kind: 'text'; readonly deltas: readonly string[] }
  | { readonly kind: 'thinking'; readonly text: string }
  /** Asks the client to run one of its own tools. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: unknown; readonly callId: string }
  /** Nothing more is sent until the test opens the gate. */
  | { readonly kind: 'gate'; readonly gate: Gate }
  /** A failure that the provider reports inside the stream, after it began with status 200. */
  | { readonly kind: 'fail'; readonly code: string; readonly message: string }
  /** These characters, as they are, in the place of an event. */
  | { readonly kind: 'garbage'; readonly text: string }
  /** The connection breaks here. */
  | { readonly kind: 'drop' };

export interface TokenCount {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

export interface StreamedReply {
  readonly kind: 'stream';
  readonly steps: readonly Step[];
  readonly usage: TokenCount;
}

export interface Refusal {
  readonly kind: 'refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that streams, or one that refuses with a status other than 200. */
export type Reply = StreamedReply | Refusal;

const USAGE: TokenCount = { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 34 };
let minted = 0;

/** A reply of these steps, in order. */
export function stream(...steps: readonly Step[]): StreamedReply {
  return { kind: 'stream', steps, usage: USAGE };
}

/** A message in one piece or in several. */
export function say(...deltas: readonly string[]): Step {
  return { kind: 'text', deltas };
}

export function think(text: string): Step {
  return { kind: 'thinking', text };
}

export function useTool(name: string, input: unknown, callId = `call_loopback_${++minted}`): Step {
  return { kind: 'tool', name, input, callId };
}

export function waitFor(gate: Gate): Step {
  return { kind: 'gate', gate };
}

export function fail(code: string, message: string): Step {
  return { kind: 'fail', code, message };
}

export function garbage(text: string): Step {
  return { kind: 'garbage', text };
}

export function drop(): Step {
  return { kind: 'drop' };
}

/** An error status; `body` is sent as JSON unless it is a string. */
export function refuse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { kind: 'refusal', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
