import type { Access, AgentId, Capabilities, SignIn } from '../../../src-shared/agents.ts';
import type { Attachment } from '../../../src-shared/attachments.ts';
import type { CommandDefinition } from '../../../src-shared/commandDefinition.ts';
import type { DeliveryReceipt, Grant, ReaderEvent } from '../../../src-shared/events.ts';
import type { RunId } from '../../../src-shared/ids.ts';
import type { Cause } from '../../../src-shared/outcome.ts';

/** The immutable input of one seat's work in one turn. Paths are absolute, times are ms. */
export interface Invocation {
  readonly cwd: string;
  /** Everything the agent is told: the operator's text and the paths and types of the attachments. */
  readonly prompt: string;
  /** The process tree is ended when this has elapsed. */
  readonly timeoutMs: number;
  readonly allowWrite: boolean;
  /** Whether the seat's session is continued when there is one. */
  readonly sessions: boolean;
  readonly artifactsDir: string;
  readonly stem: string;
  readonly run: RunId;
  readonly node: string;
  /** Exported as `CARGO_TARGET_DIR`. */
  readonly cacheDir?: string;
  /** Attachments outside cwd. Only for deciding whether the CLI's sandbox has to be widened. */
  readonly attachments: readonly string[];
}

/** What the command builder knows of the seat. */
export interface SeatTurn {
  readonly access: Access;
  readonly model: string | null;
  /** The session to continue; `null` opens a new one. */
  readonly sessionId: string | null;
  /** A fresh UUIDv4, for CLIs that want to be told the id of a new session. */
  readonly mintedSessionId: string;
  /** Images of this message, in order, wherever they lie. */
  readonly images: readonly Attachment[];
  /** The operator's description of the program; only of a `command` seat. */
  readonly definition: CommandDefinition | null;
}

/** A program as found on this machine, with whatever must stand before the agent's own arguments. */
export interface Executable {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  /** `prompt`: the prompt file is the child's standard input. `none`: standard input is empty. */
  readonly stdin: 'prompt' | 'none';
  /** Variables on top of the clean environment that `process` builds. */
  readonly env: Readonly<Record<string, string>>;
  readonly grants: readonly Grant[];
  /** How each image of this message is handed over, in the order of {@link SeatTurn.images}. */
  readonly routes: readonly DeliveryReceipt['route'][];
  /** What the seat should not have and this command line cannot take away, in sentences for the operator. */
  readonly caveats: readonly string[];
  /** What the arguments refer to; written into {@link Invocation.artifactsDir} before the process starts, and kept. */
  readonly files?: readonly CommandFile[];
  /** The id that this command line gives to a new session, where the program does not report it. */
  readonly opens?: string;
}

export interface CommandFile {
  /** Of the file, whose name is the stem and this: `.policy.toml`. */
  readonly ending: string;
  readonly text: string;
}

/** How the process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What a reader concluded when the stream was over. */
export interface ReaderReport {
  /** Whether the stream said that the turn is complete (`turn.completed`, `result`, …). */
  readonly finished: boolean;
  /** The error that the stream itself reported, as worded there; `null` when it reported none. */
  readonly error: string | null;
}

/** Reads one invocation's stdout, line by line. Never throws, whatever the lines are. */
export interface SeatReader {
  /** `line` is decoded and has no line break. */
  push(line: string): ReaderEvent[];
  /**
   * Of a reader to which all of stdout is the answer: it gets everything as it comes, decoded and without terminal
   * escapes, blank lines included, and no lines.
   */
  pushText?(text: string): ReaderEvent[];
  /** The last events, after the process has ended or the spool of a dead one was read to its end. */
  end(): { events: ReaderEvent[]; report: ReaderReport };
}

/** What `explain` looks at. */
export interface Ending {
  readonly exit: ProcessExit;
  readonly report: ReaderReport;
  /** Decoded, without terminal escapes. */
  readonly stderrTail: string;
  /** The end of stdout lines that were not events (plain-text errors), without terminal escapes. */
  readonly stdoutTail: string;
  /** The session that was asked for, if one was. */
  readonly resuming: string | null;
  /** Whether the agent reported a session in this invocation. */
  readonly sessionReported: boolean;
  /** Whether the agent said anything that can be its answer. */
  readonly answered: boolean;
  /** The model that was asked for. */
  readonly model: string | null;
  /** When it ended, ms since the epoch: what “in two hours” counts from. */
  readonly at: number;
  readonly definition: CommandDefinition | null;
}

/** What can be looked at to tell whether an agent is signed in. No network, no process. */
export interface SignInLook {
  readonly home: string;
  /** What a child of this agent would get. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a small file; `null` when it is not there or cannot be read. */
  readText(path: string): Promise<string | null>;
}

/** Causes that the endings of a CLI with a provider behind it are told apart by. */
export const PROVIDER_CAUSES = [
  'auth',
  'usage-limit',
  'rate-limit',
  'context-overflow',
  'session-rejected',
  'model-not-found',
  'dropped',
  'no-answer',
] as const satisfies readonly Cause['kind'][];

export interface ReaderContext {
  readonly resuming: string | null;
  readonly definition: CommandDefinition | null;
  /** {@link CommandLine.opens} of this invocation. */
  readonly opening?: string | null;
}

/** Everything Parley knows about one agent. Built of pure functions and plain data. */
export interface Agent {
  readonly id: AgentId;
  readonly label: string;
  /** One capital letter. */
  readonly letter: string;
  /** Degrees on the colour wheel. */
  readonly hue: number;
  readonly description: string;
  /**
   * `path`: looked up on the login shell's PATH. `embedded`: a script that ships with Parley, run by Parley's own Node.
   * `defined`: the program of the operator's description.
   */
  readonly executable:
    | { readonly kind: 'path'; readonly name: string; readonly versionArgs: readonly string[] }
    | { readonly kind: 'embedded'; readonly script: string }
    | { readonly kind: 'defined' };
  readonly install: { readonly command: string; readonly note: string };
  readonly testedVersion: string;
  readonly capabilities: Capabilities;
  /** Whether a seat of it needs the operator's description of a program; `false` when left out. */
  readonly needsDefinition?: boolean;
  /** What a seat with this description can, where it differs from {@link capabilities}. */
  capabilitiesOf?(definition: CommandDefinition): Capabilities;
  /** Why no command line can be written from a description; `null` when one can. */
  faultOf?(definition: CommandDefinition): Cause | null;
  /**
   * The causes that {@link explain} recognises, beside `exit`. A test wants a recorded or faithfully rebuilt ending for
   * each in `transcripts/`. A CLI with a provider behind it has all of {@link PROVIDER_CAUSES}.
   */
  readonly explains: readonly Cause['kind'][];
  command(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine;
  /** How the path of an image is written in the prompt; as it is, when left out. */
  pathInPrompt?(path: string): string;
  /** How any other text is written in the prompt, so that the CLI takes it for text; as it is, when left out. */
  textInPrompt?(text: string): string;
  /** Cheap and without side effects; what cannot be told is `unknown`. */
  signIn(look: SignInLook): Promise<SignIn>;
  reader(context: ReaderContext): SeatReader;
  /**
   * Why an invocation that was neither cancelled nor timed out did not complete; `null` when it did: exit code 0, the
   * stream said the turn is finished, and there is an answer.
   */
  explain(ending: Ending): Cause | null;
}
