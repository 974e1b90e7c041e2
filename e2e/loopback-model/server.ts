import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Protocol, RecordedRequest, Renderer } from './protocol.ts';
import { protocols } from './protocols.ts';
import { type Refusal, type Reply, refuse, type StreamedReply } from './reply.ts';

/** A reply, or what makes one of the request: the model can look at what its tools gave back and go on. */
export type ScriptedReply = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>);

export interface LoopbackModel {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  /** Every request so far, whatever it asked for. */
  readonly requests: readonly RecordedRequest[];
  /** The requests for a reply of the model, in the order in which they came, without what a client asks for itself. */
  readonly turns: readonly RecordedRequest[];
  /** Appends replies: each request for a reply takes the next one. */
  script(...replies: readonly ScriptedReply[]): void;
  /** What answers when the script is used up. Without it such a request is refused with status 400. */
  otherwise(reply: ScriptedReply | null): void;
  /** Forgets the script, the fallback and the requests; replies under way go on. */
  reset(): void;
  /** Settles with the request for a reply number `index` (from 0), as soon as it is there. */
  turn(index: number): Promise<RecordedRequest>;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
}

/** A body of more than this is cut off: no client sends as much. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Starts a model server on a free port of 127.0.0.1 that says what the test scripted. */
export async function startLoopbackModel(known: readonly Protocol[] = protocols): Promise<LoopbackModel> {
  const script: ScriptedReply[] = [];
  const requests: RecordedRequest[] = [];
  const turns: RecordedRequest[] = [];
  const waiting: { index: number; resolve: (request: RecordedRequest) => void }[] = [];
  const closing = new AbortController();
  let fallback: ScriptedReply | null = null;

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that goes away in the middle is what many tests are about.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const path = request.url ?? '';
    const bytes = await readBody(request);
    const body = parse(bytes);
    const pathname = path.split('?')[0] ?? '';
    const protocol = known.find((candidate) => candidate.answers(method, pathname));
    const recorded: RecordedRequest = {
      method,
      path,
      headers: { ...request.headers },
      bytes,
      body,
      input: protocol?.read(body, pathname) ?? null,
    };
    requests.push(recorded);
    if (protocol === undefined) {
      sendRefusal(response, notFound(method, pathname));
      return;
    }
    const aside = protocol.aside?.(body) ?? null;
    if (aside !== null) {
      await sendStream(response, aside, protocol.renderer(body, pathname));
      return;
    }
    turns.push(recorded);
    const next = script.shift() ?? fallback ?? refuse(400, { error: { message: 'no reply is scripted' } });
    for (const waiter of waiting.filter(({ index }) => index < turns.length)) {
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve(turns[waiter.index] ?? recorded);
    }
    const reply = typeof next === 'function' ? await next(recorded) : next;
    if (reply.kind === 'refusal') sendRefusal(response, reply);
    else await sendStream(response, reply, protocol.renderer(body, pathname));
  }

  async function sendStream(response: ServerResponse, reply: StreamedReply, renderer: Renderer): Promise<void> {
    response.writeHead(200, { 'content-type': renderer.contentType });
    // The client learns at once that the reply began, even when a gate is the first step.
    response.flushHeaders();
    for (const piece of renderer.begin()) await write(response, piece);
    for (const step of reply.steps) {
      switch (step.kind) {
        case 'gate':
          step.gate.reach();
          await untilOpenOrGone(step.gate.opened, response, closing.signal);
          break;
        case 'drop':
          response.destroy();
          return;
        case 'garbage':
          await write(response, step.text);
          break;
        default:
          for (const piece of renderer.step(step)) await write(response, piece);
      }
      if (response.destroyed) return;
    }
    for (const piece of renderer.end(reply.usage)) await write(response, piece);
    response.end();
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    turns,
    script: (...replies) => void script.push(...replies),
    otherwise: (reply) => {
      fallback = reply;
    },
    reset: () => {
      script.length = 0;
      fallback = null;
      requests.length = 0;
      turns.length = 0;
    },
    turn: (index) =>
      new Promise((resolve) => {
        const there = turns[index];
        if (there === undefined) waiting.push({ index, resolve });
        else resolve(there);
      }),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function notFound(method: string, path: string): Refusal {
  return refuse(404, { error: { message: `the loopback model knows no ${method} ${path}` } });
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
  response.end(refusal.body);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'));
      else resolve(address.port);
    });
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.byteLength;
    if (size > MAX_BODY_BYTES) throw new Error(`a request body of more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Not JSON: the bytes are recorded as they are.
    return undefined;
  }
}

/** Settles when the client took the piece, or is gone. */
function write(response: ServerResponse, piece: string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(piece, () => resolve());
  });
}

function untilOpenOrGone(opened: Promise<void>, response: ServerResponse, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    closing.addEventListener('abort', () => resolve(), { once: true });
    void opened.then(resolve);
  });
}
