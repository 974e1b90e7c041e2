import { setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../../../../src-shared/failure.ts';
import type { ToolCall } from '../messages.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { INTERRUPTED_TEXT, notOk, Refusal } from './outcome.ts';

export interface BatchCall {
  readonly call: ToolCall;
  /** `null` when there is no tool of that name. */
  readonly tool: Tool | null;
}

export interface BatchOptions {
  readonly signal: AbortSignal;
  /** How long after the signal results are still taken, ms; 0 takes what is there. */
  readonly graceMs: number;
  /** What a call runs in; its signal and what it reports go through the batch. */
  contextOf(call: ToolCall): Omit<ToolContext, 'callId' | 'signal' | 'graceMs'>;
  /** Told of each result as it is known, in that order; never after the batch has come back. */
  onResult(call: ToolCall, outcome: ToolOutcome): void;
}

export interface BatchResult {
  /** One for each call, in the order of the calls. */
  readonly outcomes: readonly ToolOutcome[];
  /** The ids of calls that had been started and were not over when the batch came back. */
  readonly pending: readonly string[];
  /** When the last of them is over. It never rejects; nothing that they say is heard any more. */
  readonly settled: Promise<void>;
}

/**
 * Runs the calls of one reply: side by side, but those with the same exclusive key one after the other, in their order.
 * When the signal fires nothing new is started; results that come within the grace are kept, the other calls are
 * `interrupted`. After that a call that goes on regardless can neither print, nor keep an artifact, nor start a process
 * that lives: what it was given for that is taken from it.
 */
export async function runBatch(calls: readonly BatchCall[], options: BatchOptions): Promise<BatchResult> {
  const { signal, graceMs } = options;
  const entries = calls.map((call) => new Entry(call, options));
  const lastOfKey = new Map<string, Promise<void>>();
  const running = entries.map((entry) => {
    const key = entry.exclusiveKey();
    const before = key === null ? undefined : lastOfKey.get(key);
    const done = before === undefined ? entry.run() : before.then(() => entry.run());
    if (key !== null) lastOfKey.set(key, done);
    return done;
  });
  const settled = Promise.all(running).then(() => {});
  await untilOver(settled, signal, graceMs);
  const pending = entries.filter((entry) => entry.isRunning).map((entry) => entry.id);
  return { outcomes: entries.map((entry) => entry.close()), pending, settled };
}

/** Waits for everything, or until the grace after the signal is over. */
async function untilOver(settled: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  const timer = new AbortController();
  let onAbort = () => {};
  const late = new Promise<void>((resolve) => {
    onAbort = () => {
      delay(graceMs, undefined, { signal: timer.signal }).then(resolve, () => {});
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([settled, late]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    timer.abort();
  }
}

/** One call of a batch: it has an outcome once it was run, or once the batch was closed. */
class Entry {
  #state: 'waiting' | 'running' | 'over' = 'waiting';
  #outcome: ToolOutcome | null = null;
  #isClosed = false;

  constructor(
    private readonly entry: BatchCall,
    private readonly options: BatchOptions,
  ) {}

  get id(): string {
    return this.entry.call.id;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  exclusiveKey(): string | null {
    const { call, tool } = this.entry;
    return tool === null ? null : tool.exclusiveKey(call.input, this.options.contextOf(call));
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { call, tool } = this.entry;
    if (this.#isClosed) return;
    if (this.options.signal.aborted) return this.#settle(notOk('interrupted', INTERRUPTED_TEXT));
    if (tool === null) return this.#settle(notOk('failed', 'There is no tool of this name.'));
    this.#state = 'running';
    try {
      this.#settle(await tool.run(call.input, this.#context()));
    } catch (error) {
      this.#settle(notOk('failed', `The tool failed: ${errorText(error)}`));
    }
  }

  /** From now on nothing of the call is heard. @returns its outcome */
  close(): ToolOutcome {
    if (this.#outcome === null) this.#settle(notOk('interrupted', INTERRUPTED_TEXT));
    this.#isClosed = true;
    return this.#outcome ?? notOk('interrupted', INTERRUPTED_TEXT);
  }

  #settle(outcome: ToolOutcome): void {
    this.#state = 'over';
    if (this.#outcome !== null || this.#isClosed) return;
    this.#outcome = outcome;
    this.options.onResult(this.entry.call, outcome);
  }

  #context(): ToolContext {
    const { call } = this.entry;
    const given = this.options.contextOf(call);
    const requireOpen = () => {
      if (this.#isClosed) throw new Refusal('interrupted', INTERRUPTED_TEXT);
    };
    return {
      ...given,
      callId: call.id,
      signal: this.options.signal,
      graceMs: this.options.graceMs,
      onOutput: (stream, chunk) => {
        if (!this.#isClosed) given.onOutput(stream, chunk);
      },
      onProcess: (process) => {
        requireOpen();
        given.onProcess(process);
      },
      saveArtifact: async (name, source) => {
        requireOpen();
        return given.saveArtifact(name, source);
      },
    };
  }
}
