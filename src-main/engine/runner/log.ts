import type { CommandEvidence, SeatEvent, SeatEventBody } from '../../../src-shared/events.ts';
import { emptyInvocationState, type InvocationState, takeSeatEvent } from '../../../src-shared/fold.ts';
import type { InvocationId } from '../../../src-shared/ids.ts';
import type { InvocationStore } from '../conversations/index.ts';

/** How long a change of a running invocation may wait before it is stored, ms. The spool is the record until then. */
const SAVE_INTERVAL_MS = 500;
/** Evidence that waits to be stored, rows. */
const MAX_PENDING_EVIDENCE = 200;

export interface LogListeners {
  /** Consecutive events; called at most once for each chunk of output. */
  onEvents(events: SeatEvent[]): void;
  /** Storing failed and will be tried again. */
  onSaveFailed(error: unknown): void;
}

/**
 * The one writer of an invocation's events: gives each its number, folds it, publishes it, and stores what it amounts to.
 * Exactly one `ended` can be appended, and nothing after it.
 */
export class InvocationLog {
  /** This log's alone: it grows in place, because a flood of events must not copy it for each. */
  readonly #state: InvocationState;
  #unpublished: SeatEvent[] = [];
  #unsavedEvidence: CommandEvidence[] = [];
  #savedEvidence = 0;
  #dirty = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly id: InvocationId,
    private readonly store: InvocationStore,
    private readonly listeners: LogListeners,
  ) {
    this.#state = emptyInvocationState(id);
  }

  get state(): Readonly<InvocationState> {
    return this.#state;
  }

  append(body: SeatEventBody): void {
    if (this.#state.outcome !== null) throw new Error(`${body.type} after the end of ${this.id}`);
    const event: SeatEvent = { invocationId: this.id, seq: this.#state.seq + 1, ...body };
    takeSeatEvent(this.#state, event);
    if (event.type === 'evidence') this.#unsavedEvidence.push(event.evidence);
    this.#dirty = true;
    if (this.#unpublished.push(event) === 1) queueMicrotask(() => this.#publish());
    if (this.#unsavedEvidence.length >= MAX_PENDING_EVIDENCE) this.#attempt(() => this.#saveEvidence());
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#attempt(() => this.save());
    }, SAVE_INTERVAL_MS);
  }

  /** Stores everything now. @throws when it cannot be stored; it is kept and can be tried again */
  save(): void {
    if (!this.#dirty) return;
    this.store.save(this.#state, this.#unsavedEvidence, this.#savedEvidence);
    this.#savedEvidence += this.#unsavedEvidence.length;
    this.#unsavedEvidence = [];
    this.#dirty = false;
  }

  /** Publishes and stores what is left, and lets go of the timer. */
  close(): void {
    this.#publish();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#attempt(() => this.save());
  }

  #saveEvidence(): void {
    this.store.saveEvidence(this.id, this.#unsavedEvidence, this.#savedEvidence);
    this.#savedEvidence += this.#unsavedEvidence.length;
    this.#unsavedEvidence = [];
  }

  #attempt(save: () => void): void {
    try {
      save();
    } catch (error) {
      this.listeners.onSaveFailed(error);
    }
  }

  #publish(): void {
    if (this.#unpublished.length === 0) return;
    const events = this.#unpublished;
    this.#unpublished = [];
    this.listeners.onEvents(events);
  }
}
