import { randomUUID } from 'node:crypto';
import type { Origin } from '../../../src-shared/events.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { InvocationId, SeatId } from '../../../src-shared/ids.ts';
import type { ArtifactService } from '../services/index.ts';

/** The agent's own memory of a seat. */
export interface Session {
  readonly seatId: SeatId;
  /** The id under which the agent knows it; `null` before it has told one. */
  readonly id: string | null;
}

/** Keeps the session of each seat. What is saved is durable when the call returns. */
export interface SessionService {
  get(seatId: SeatId): Session;
  save(session: Session): void;
}

export interface RunConfig {
  /** How many model calls an invocation may make; `null` where the agent counts for itself. */
  readonly maxLlmCalls: number | null;
}

export interface InvocationContextFields {
  readonly appName: string;
  readonly userId: string;
  readonly invocationId: InvocationId;
  readonly session: Session;
  readonly sessionService: SessionService;
  readonly artifactService?: ArtifactService;
  readonly runConfig: RunConfig;
  readonly origin: Origin;
  readonly userContent?: string;
  readonly cancellation: AbortSignal;
  readonly attributes?: ReadonlyMap<string, string>;
}

/** The envelope of one invocation, whatever the agent is: who asks, on whose behalf, within which bounds. */
export class InvocationContext {
  readonly appName: string;
  readonly userId: string;
  readonly invocationId: InvocationId;
  readonly session: Session;
  readonly sessionService: SessionService;
  readonly artifactService: ArtifactService | undefined;
  readonly runConfig: RunConfig;
  readonly origin: Origin;
  readonly userContent: string | undefined;
  readonly cancellation: AbortSignal;
  readonly attributes: ReadonlyMap<string, string>;
  #llmCallCount = 0;

  constructor(fields: InvocationContextFields) {
    this.appName = fields.appName;
    this.userId = fields.userId;
    this.invocationId = fields.invocationId;
    this.session = fields.session;
    this.sessionService = fields.sessionService;
    this.artifactService = fields.artifactService;
    this.runConfig = fields.runConfig;
    this.origin = fields.origin;
    this.userContent = fields.userContent;
    this.cancellation = fields.cancellation;
    this.attributes = fields.attributes ?? new Map();
  }

  get llmCallCount(): number {
    return this.#llmCallCount;
  }

  /** A fresh UUIDv4, for sessions and messages of this invocation. */
  newId(): string {
    return randomUUID();
  }

  /** Counts a model call before it is made. @throws ParleyError `llm-call-limit` when the cap is reached */
  checkAndIncLlmCall(): void {
    const cap = this.runConfig.maxLlmCalls;
    if (cap !== null && this.#llmCallCount >= cap) {
      throw new ParleyError(
        'llm-call-limit',
        `The limit of ${cap} model calls for one turn is reached.`,
        'Raise the limit, or send another message to go on.',
      );
    }
    this.#llmCallCount++;
  }

  isCancelled(): boolean {
    return this.cancellation.aborted;
  }
}
