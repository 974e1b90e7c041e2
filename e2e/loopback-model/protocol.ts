import type { Step, StreamedReply, TokenCount } from './reply.ts';

/** A request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
  /** The body parsed as JSON; `undefined` when it is not JSON. */
  readonly body: unknown;
  /** What the request says to the model; `null` when no protocol knows this request. */
  readonly input: ModelInput | null;
}

/** What a request tells the model, read out of whatever protocol carried it. */
export interface ModelInput {
  readonly model: string | null;
  /** The system prompt or instructions; empty when there are none. */
  readonly instructions: string;
  /** The texts of the user's messages, oldest first, one for each text part. */
  readonly userTexts: readonly string[];
  /** The images in it, oldest first. */
  readonly images: readonly { readonly mime: string; readonly bytes: Buffer }[];
  /** What the client's tools gave back, oldest first. */
  readonly toolResults: readonly { readonly callId: string; readonly output: string }[];
  /** Names of the tools that the client offers. */
  readonly tools: readonly string[];
}

/** Steps that a protocol turns into bytes; the rest is the server's own business. */
export type RenderedStep = Exclude<Step, { kind: 'gate' | 'drop' | 'garbage' }>;

/**
 * Writes one reply. Every string is sent by itself, so that a client sees the pieces arrive. A protocol's unstreamed
 * form returns nothing until `end` and then the whole body.
 */
export interface Renderer {
  readonly contentType: string;
  begin(): readonly string[];
  step(step: RenderedStep): readonly string[];
  end(usage: TokenCount): readonly string[];
}

/** One wire protocol. A new one is one file and one line in `protocols.ts`. */
export interface Protocol {
  readonly id: string;
  /** Whether this is a request for a reply of the model. `path` has no query. */
  answers(method: string, path: string): boolean;
  /** Some protocols name the model and the form of the reply in the path. */
  read(body: unknown, path: string): ModelInput;
  renderer(body: unknown, path: string): Renderer;
  /**
   * The reply to a request that the client makes for itself (for a title, say) and that is no turn of the conversation:
   * it takes nothing from the script. `null` for every other request.
   */
  aside?(body: unknown): StreamedReply | null;
}
