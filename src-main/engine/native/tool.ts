import type { UserAttachment } from './messages.ts';
import type { ToolSpec } from './model.ts';

/** What a tool may do, and what an approval is asked for. */
export type ToolRight = 'read' | 'edit' | 'run';

export interface ToolContext {
  readonly callId: string;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
  /** Directories outside cwd that may be read: the conversation's attachments. Absolute, without symbolic links. */
  readonly readable: readonly string[];
  readonly allowWrite: boolean;
  /** Ends the call. After it has fired nothing that the tool does may have an effect. */
  readonly signal: AbortSignal;
  /** Raw output of a command while it runs, for the Live view. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Keeps output that is too long for a model, and says under which name it is found. */
  saveArtifact(name: string, bytes: Buffer): Promise<string>;
}

export interface ToolOutcome {
  readonly status: 'ok' | 'failed' | 'denied' | 'interrupted';
  /** What the model is told. */
  readonly text: string;
  readonly attachments: readonly UserAttachment[];
  /** A command that finished: evidence. */
  readonly command?: { readonly line: string; readonly exitCode: number | null; readonly tail: string };
}

export interface Tool {
  readonly spec: ToolSpec;
  readonly right: ToolRight;
  /** One line for a card and for an approval: the command, the path, the query. Never throws, whatever the input is. */
  title(input: unknown): string;
  /** Calls with the same key never run at the same time; `null` runs beside everything. */
  exclusiveKey(input: unknown, context: Pick<ToolContext, 'cwd'>): string | null;
  /** Bad input is a failed outcome that says what is wrong; it does not throw. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
