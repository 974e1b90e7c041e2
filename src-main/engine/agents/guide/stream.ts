/** The shapes of codex-cli 0.171's JSON lines that the Guide uses. */
type Item =
  | { type: 'agent_message'; text: string }
  | { type: 'error'; message: string }
  | {
      type: 'command_execution';
      command: string;
      aggregated_output: string;
      exit_code: number | null;
      status: 'in_progress' | 'completed' | 'failed';
    };

/** What a command came to; `exitCode` is `null` when it could not be started or was ended by a signal. */
export interface CommandResult {
  output: string;
  exitCode: number | null;
}

/** Reports the turn as it happens, one JSON line for each step. */
export class TurnStream {
  #count = 0;

  constructor(private readonly write: (line: string) => void) {}

  begin(sessionId: string): void {
    this.#line({ type: 'thread.started', thread_id: sessionId });
    this.#line({ type: 'turn.started' });
  }

  /** What the Guide is about to do, or its answer: the last message of a turn. */
  say(text: string): void {
    this.#completed(this.#nextId(), { type: 'agent_message', text });
  }

  /** Something the operator should know that is not part of the answer. */
  warn(message: string): void {
    this.#completed(this.#nextId(), { type: 'error', message });
  }

  async command(command: string, run: () => Promise<CommandResult>): Promise<CommandResult> {
    const id = this.#nextId();
    const item = { type: 'command_execution' as const, command };
    this.#line({
      type: 'item.started',
      item: { id, ...item, aggregated_output: '', exit_code: null, status: 'in_progress' },
    });
    const result = await run();
    this.#completed(id, {
      ...item,
      aggregated_output: result.output,
      exit_code: result.exitCode,
      status: result.exitCode === 0 ? 'completed' : 'failed',
    });
    return result;
  }

  /** No `usage`: the Guide has no model, so it has no tokens to report. */
  end(): void {
    this.#line({ type: 'turn.completed' });
  }

  #completed(id: string, item: Item): void {
    this.#line({ type: 'item.completed', item: { id, ...item } });
  }

  #nextId(): string {
    return `item_${this.#count++}`;
  }

  #line(event: object): void {
    this.write(`${JSON.stringify(event)}\n`);
  }
}
