export type ClockKind = 'wall' | 'idle';

export interface ClockTimes {
  /** Ms since the epoch. */
  readonly wallEndsAt: number;
  /** `null` without an idle limit, or while the clock stands still. */
  readonly idleEndsAt: number | null;
}

/** How often a change that output alone made is told, ms. */
const TELL_INTERVAL_MS = 1_000;
/** The longest that Node's timers wait at once, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The two clocks of an invocation: the wall clock runs from its start, the idle clock from its last sign of life. Both
 * can be given more time; the idle clock stands still while something waits for the operator.
 */
export class Clocks {
  readonly #startedAt = Date.now();
  #wallMs: number;
  #idleMs: number | null;
  #lastSign = this.#startedAt;
  #holds = 0;
  #toldAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #resolve: (kind: ClockKind) => void = () => {};
  /** Settles with the clock that ran out first; never, when it is stopped before. */
  readonly expired: Promise<ClockKind>;

  constructor(
    limits: { wallMs: number; idleMs: number | null },
    private readonly onChange: (times: ClockTimes) => void = () => {},
  ) {
    this.#wallMs = limits.wallMs;
    this.#idleMs = limits.idleMs;
    this.expired = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#arm();
  }

  get times(): ClockTimes {
    const idleEndsAt = this.#idleMs === null || this.#holds > 0 ? null : this.#lastSign + this.#idleMs;
    return { wallEndsAt: this.#startedAt + this.#wallMs, idleEndsAt };
  }

  /** How long a clock allows, ms, with everything that was added. */
  limitOf(kind: ClockKind): number {
    return kind === 'wall' ? this.#wallMs : (this.#idleMs ?? 0);
  }

  /** A sign of life. Called for every chunk of output: no timer is touched, the one that is armed looks again. */
  touch(): void {
    this.#lastSign = Date.now();
    if (this.#idleMs !== null && this.#lastSign - this.#toldAt >= TELL_INTERVAL_MS) this.#tell();
  }

  /** Adds time to both clocks. */
  extend(ms: number): void {
    this.#wallMs += ms;
    if (this.#idleMs !== null) this.#idleMs += ms;
    this.#changed();
  }

  /** The idle clock stands still until what is returned is called. */
  hold(): () => void {
    this.#holds++;
    this.#changed();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      this.#lastSign = Date.now();
      this.#changed();
    };
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #changed(): void {
    if (this.#timer === null) return;
    this.#arm();
  }

  #tell(): void {
    this.#toldAt = Date.now();
    this.onChange(this.times);
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tell();
    this.#wait();
  }

  #wait(): void {
    const { wallEndsAt, idleEndsAt } = this.times;
    const next = Math.min(wallEndsAt, idleEndsAt ?? Number.POSITIVE_INFINITY);
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(0, next - Date.now()), MAX_TIMER_MS));
  }

  #look(): void {
    const now = Date.now();
    const { wallEndsAt, idleEndsAt } = this.times;
    if (now >= wallEndsAt) this.#expire('wall');
    else if (idleEndsAt !== null && now >= idleEndsAt) this.#expire('idle');
    else this.#wait();
  }

  #expire(kind: ClockKind): void {
    this.#timer = null;
    this.#resolve(kind);
  }
}
