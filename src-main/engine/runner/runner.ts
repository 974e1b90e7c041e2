import { setTimeout as delay } from 'node:timers/promises';
import type { EngineEvent } from '../../../src-shared/api.ts';
import type { Clock, Seat, Turn } from '../../../src-shared/conversations.ts';
import type { Origin } from '../../../src-shared/events.ts';
import { errorText, ParleyError } from '../../../src-shared/failure.ts';
import type { ConversationId, InvocationId, TurnId } from '../../../src-shared/ids.ts';
import { MORE_TIME_MS } from '../../../src-shared/limits.ts';
import type { ConversationRecords } from '../conversations/index.ts';
import { Clocks } from '../process/index.ts';
import type { ArtifactService, LeaseService } from '../services/index.ts';
import type { Database } from '../storage/index.ts';
import { InvocationContext, type SessionService } from './context.ts';
import type { AgentFinder } from './finder.ts';
import { invoke } from './invoke.ts';
import { InvocationLog } from './log.ts';
import { recover } from './recovery.ts';
import type { AgentSettings } from './settings.ts';

/** Between two tries for a conversation in which another Parley is working, ms. */
const LEASE_RETRY_MS = 300;

/** The longest between two looks at what is scheduled, ms. */
const SCHEDULE_LOOK_MS = 60_000;

export interface RunnerParts {
  readonly database: Database;
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly leases: LeaseService;
  readonly finder: AgentFinder;
  readonly settings: AgentSettings;
  readonly env: NodeJS.ProcessEnv;
  /** The name of this engine; what it has begun is filed under it. */
  readonly owner: string;
  readonly origin: Origin;
  readonly userId: string;
  publish(event: EngineEvent): void;
}

interface Running {
  readonly conversationId: ConversationId;
  readonly controller: AbortController;
  /** `null` before its process is there. */
  readonly clocks: () => Clocks | null;
  readonly done: Promise<void>;
}

/** Takes queued turns, one at a time for each conversation, and runs the invocations of each. */
export class Runner {
  readonly #running = new Map<InvocationId, Running>();
  readonly #draining = new Map<ConversationId, Promise<void>>();
  readonly #watched = new Map<InvocationId, number>();
  readonly #closing = new AbortController();
  #wake: NodeJS.Timeout | null = null;
  readonly #sessions: SessionService;

  constructor(private readonly parts: RunnerParts) {
    const { seats } = parts.records;
    this.#sessions = {
      get: (seatId) => ({ seatId, id: seats.get(seatId).sessionId }),
      save: ({ seatId, id }) =>
        parts.publish({ name: 'seat', payload: { seat: seats.update(seatId, { sessionId: id }) } }),
    };
  }

  /** Invocations that are running in this engine. */
  get busy(): number {
    return this.#running.size;
  }

  /** Starts what waits in a conversation, unless it is being done already. */
  drain(conversation: ConversationId): void {
    if (this.#draining.has(conversation) || this.#closing.signal.aborted) return;
    const done = this.#drain(conversation).catch((error: unknown) => {
      this.#draining.delete(conversation);
      if (!this.#closing.signal.aborted) this.#warn(`The queue of a conversation stopped: ${errorText(error)}.`);
    });
    this.#draining.set(conversation, done);
  }

  /**
   * Starts the scheduled turns that are due, and wakes up for the next one. A moment that passed while nothing ran, or
   * while the machine slept, is due now.
   */
  schedule(): void {
    if (this.#wake !== null) clearTimeout(this.#wake);
    this.#wake = null;
    if (this.#closing.signal.aborted) return;
    const { turns } = this.parts.records;
    for (const turn of turns.claimDue(this.parts.owner, Date.now())) {
      this.publishTurn(turn);
      this.drain(turn.conversationId);
    }
    const next = turns.nextDue();
    // Looked at again in between: another engine may have scheduled one, and timers do not run while a machine sleeps.
    const wait = next === null ? SCHEDULE_LOOK_MS : Math.min(Math.max(0, next - Date.now()), SCHEDULE_LOOK_MS);
    this.#wake = setTimeout(() => this.schedule(), wait);
    this.#wake.unref();
  }

  /** Resolves when nothing waits or runs in the conversation any more. */
  async idle(conversation: ConversationId): Promise<void> {
    for (let draining = this.#draining.get(conversation); draining; draining = this.#draining.get(conversation)) {
      await draining;
    }
  }

  /** Ends whatever runs in the conversation; comes back when it is gone. Returns how many invocations that were. */
  async stop(conversation: ConversationId): Promise<number> {
    const affected = [...this.#running.values()].filter((running) => running.conversationId === conversation);
    for (const running of affected) running.controller.abort();
    await Promise.all(affected.map((running) => running.done));
    return affected.length;
  }

  /** Ends one invocation. */
  /** The clocks of what runs in a conversation. */
  clocksOf(conversation: ConversationId): Clock[] {
    return [...this.#running].flatMap(([invocationId, { conversationId, clocks }]) => {
      const times = conversationId === conversation ? clocks()?.times : undefined;
      return times === undefined ? [] : [{ invocationId, ...times }];
    });
  }

  /** Gives a running invocation more time. @throws ParleyError `not-running` */
  giveMoreTime(invocation: InvocationId): Clock {
    const clocks = this.#running.get(invocation)?.clocks() ?? null;
    if (clocks === null) {
      throw new ParleyError('not-running', 'This run has ended already.', 'Send another message to go on.');
    }
    clocks.extend(MORE_TIME_MS);
    return { invocationId: invocation, ...clocks.times };
  }

  async cancel(invocation: InvocationId): Promise<void> {
    const running = this.#running.get(invocation);
    running?.controller.abort();
    await running?.done;
  }

  watch(invocation: InvocationId): boolean {
    this.#watched.set(invocation, (this.#watched.get(invocation) ?? 0) + 1);
    return this.#running.has(invocation);
  }

  unwatch(invocation: InvocationId): void {
    const watchers = (this.#watched.get(invocation) ?? 0) - 1;
    if (watchers > 0) this.#watched.set(invocation, watchers);
    else this.#watched.delete(invocation);
  }

  /** Closes what engines that are no longer there have left open. What still waits is held for the operator. */
  async recover(): Promise<void> {
    const { records, leases } = this.parts;
    const alive = new Map<string, boolean>();
    const open = records.invocations.open();
    for (const record of open) {
      if (!alive.has(record.owner)) alive.set(record.owner, await leases.engineLives(record.owner));
      if (alive.get(record.owner) === true) continue;
      await recover(
        { records, artifacts: this.parts.artifacts, sessions: this.#sessions, settings: this.parts.settings },
        record,
        this.#log(record.conversationId, record.turnId, record.id),
      );
    }
    records.turns.endAbandoned();
    for (const owner of records.turns.owners()) {
      if (!(await leases.engineLives(owner))) records.turns.hold(owner);
    }
  }

  /** Ends everything and waits until it is gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#wake !== null) clearTimeout(this.#wake);
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all([...running.map(({ done }) => done), ...this.#draining.values()]);
  }

  async #drain(conversation: ConversationId): Promise<void> {
    const { leases, records, owner } = this.parts;
    const key = `conversation/${conversation}`;
    while (!this.#closing.signal.aborted) {
      const turn = records.turns.next(conversation, owner);
      if (turn === null) break;
      if (!(await leases.claim(key))) {
        await delay(LEASE_RETRY_MS, undefined, { signal: this.#closing.signal });
        continue;
      }
      try {
        await this.#runTurn(turn.id);
      } finally {
        leases.release(key);
      }
    }
    // In the same step as the look that found nothing: a message that comes now begins a new drain.
    this.#draining.delete(conversation);
  }

  async #runTurn(id: TurnId): Promise<void> {
    const { database, records, owner } = this.parts;
    const begun = database.transaction(() => {
      // Removed or edited while the lease was claimed.
      if (!records.turns.advance(id, 'queued', 'running')) return null;
      const turn = records.turns.get(id);
      const seats = turn.seatIds.map((seatId) => records.seats.get(seatId));
      const invocations = seats.map((seat) => {
        const stem = `turn-${turn.position + 1}.${seat.position + 1}-${seat.agent}`;
        return {
          seat,
          stem,
          id: records.invocations.create({ turnId: id, seatId: seat.id, run: turn.run, stem, owner }),
        };
      });
      return { turn: records.turns.get(id), invocations };
    });
    if (begun === null) return;
    const { turn, invocations } = begun;
    this.publishTurn(turn);
    const { cwd } = records.conversations.get(turn.conversationId);
    await Promise.all(invocations.map(({ seat, stem, id }) => this.#runInvocation(turn, seat, cwd, stem, id)));
    if (records.turns.advance(id, 'running', 'ended')) {
      records.conversations.touch(turn.conversationId);
      this.publishTurn(records.turns.get(id));
    }
  }

  async #runInvocation(turn: Turn, seat: Seat, cwd: string, stem: string, id: InvocationId): Promise<void> {
    const { parts } = this;
    const controller = new AbortController();
    if (this.#closing.signal.aborted) controller.abort();
    const log = this.#log(turn.conversationId, turn.id, id);
    const context = new InvocationContext({
      appName: 'parley',
      userId: parts.userId,
      invocationId: id,
      session: this.#sessions.get(seat.id),
      sessionService: this.#sessions,
      artifactService: parts.artifacts,
      runConfig: { maxLlmCalls: null },
      origin: parts.origin,
      userContent: turn.text,
      cancellation: controller.signal,
    });
    const onOutput = (stream: 'stdout' | 'stderr', chunk: Buffer, offset: number) => {
      if (!this.#watched.has(id)) return;
      parts.publish({ name: 'live', payload: { invocationId: id, stream, offset, bytes: Uint8Array.from(chunk) } });
    };
    let clocks: Clocks | null = null;
    const startClocks = (limits: { wallMs: number; idleMs: number | null }) => {
      const { conversationId } = turn;
      const started = new Clocks(limits, (times) =>
        parts.publish({ name: 'clock', payload: { conversationId, clock: { invocationId: id, ...times } } }),
      );
      clocks = started;
      return started;
    };
    const previous = parts.records.invocations.previousOf(id, seat.id);
    const done = invoke({ ...parts, onOutput }, { context, turn, seat, cwd, stem, log, previous, startClocks });
    this.#running.set(id, { conversationId: turn.conversationId, controller, clocks: () => clocks, done });
    try {
      await done;
    } finally {
      this.#running.delete(id);
      this.#publishConversation(turn.conversationId);
    }
  }

  #log(conversationId: ConversationId, turnId: TurnId, invocationId: InvocationId): InvocationLog {
    return new InvocationLog(invocationId, this.parts.records.invocations, {
      onEvents: (events) =>
        this.parts.publish({ name: 'seatEvents', payload: { conversationId, turnId, invocationId, events } }),
      onSaveFailed: (error) =>
        this.#warn(`A running turn could not be stored (will be tried again): ${errorText(error)}.`),
    });
  }

  publishTurn(turn: Turn): void {
    this.parts.publish({ name: 'turn', payload: { turn } });
    this.#publishConversation(turn.conversationId);
  }

  #publishConversation(id: ConversationId): void {
    const conversation = this.parts.records.conversations.find(id);
    if (conversation !== null) this.parts.publish({ name: 'conversation', payload: { conversation } });
  }

  #warn(text: string): void {
    this.parts.publish({ name: 'notice', payload: { level: 'warning', text } });
  }
}

/** For calls that must not meet a running turn. */
export function busyError(): ParleyError {
  return new ParleyError('busy', 'A turn is running in this conversation.', 'Stop it, or wait until it has ended.');
}
