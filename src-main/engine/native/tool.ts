import type { UserAttachment } from './messages.ts';
import type { ToolSpec } from './model.ts';

/** What a tool may do, and what an approval is asked for. */
export type ToolRight = 'read' | 'edit' | 'run';

/** Where a seat's tools may go. Every path is absolute and without symbolic links. The innermost directory decides. */
export interface Grounds {
  readonly cwd: string;
  /** Directories outside cwd that may be read: the conversation's attachments. */
  readonly readable: readonly string[];
  /** Directories that no tool sees, wherever cwd is: Parley's own data. */
  readonly hidden: readonly string[];
  /** Whether files below cwd may be changed. */
  readonly allowWrite: boolean;
}

/** A process that a tool started: enough to end its tree after a crash, with `endTree`. */
export interface StartedProcess {
  readonly pid: number;
  readonly started: string;
  /** The value of the marker variable in its environment; its own, so that ending one command ends no other. */
  readonly marker: string;
}

/** How the commands of a seat are started. */
export interface CommandSetting {
  /** All of it, with the login shell's PATH, as `childEnvironment` builds it. */
  readonly environment: Readonly<Record<string, string>>;
  /** A directory that exists, only ours, outside what the seat sees; raw output is spooled here while a command runs. */
  readonly scratch: string;
  /** A directory outside cwd that commands of a seat that writes may fill: the compilers' cache. */
  readonly cacheDir: string | null;
}

export type ArtifactSource = { readonly bytes: Buffer } | { readonly path: string };

export interface ToolContext extends Grounds {
  readonly callId: string;
  readonly commands: CommandSetting;
  /** Ends the call. After it has fired nothing that the tool does may have an effect. */
  readonly signal: AbortSignal;
  /** How long after the signal the call's result is still taken, ms. What a tool has to end, it ends within this. */
  readonly graceMs: number;
  /** Raw output of a command while it runs, for the Live view. `chunk` is reused after the call. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Told before the process does anything. What this throws ends it. */
  onProcess(process: StartedProcess): void;
  /** Keeps a durable copy of what is too long or not text for a model, and says under which name and where it is found. */
  saveArtifact(name: string, source: ArtifactSource): Promise<{ readonly name: string; readonly path: string }>;
}

export interface ToolOutcome {
  /** `failed`: it did not do what was asked. `denied`: it is not allowed. `interrupted`: the signal ended it. */
  readonly status: 'ok' | 'failed' | 'denied' | 'interrupted';
  /** What the model is told. */
  readonly text: string;
  readonly attachments: readonly UserAttachment[];
  /** A command that ran and is over: evidence. `exitCode` is `null` when it did not exit by itself. */
  readonly command?: { readonly line: string; readonly exitCode: number | null; readonly tail: string };
}

export interface Tool {
  readonly spec: ToolSpec;
  readonly right: ToolRight;
  /** One line for a card and for an approval: the command, the path, the query. Never throws, whatever the input is. */
  title(input: unknown): string;
  /** Calls with the same key never run at the same time; `null` runs beside everything. Never throws. */
  exclusiveKey(input: unknown, context: Pick<ToolContext, 'cwd'>): string | null;
  /** Bad input is a failed outcome that says what is wrong; it does not throw. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
