import { z } from 'zod';
import { access, agentId, agentStatus } from './agents.ts';
import { attachment } from './attachments.ts';
import { commandDraft, commandProblem, definitionId, MAX_VARIABLE_LENGTH } from './commandDefinition.ts';
import {
  artifact,
  clock,
  conversationKind,
  conversationSnapshot,
  conversationSummary,
  draft,
  evidenceRow,
  newSeat,
  seat,
  timeoutMs,
  turn,
} from './conversations.ts';
import { seatEvent } from './events.ts';
import { type Failure, failure } from './failure.ts';
import { invocationState } from './fold.ts';
import { attachmentId, conversationId, invocationId, runId, seatId, turnId } from './ids.ts';
import {
  EVIDENCE_PAGE_SIZE,
  MAX_ARTIFACT_READ_BYTES,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS_PER_MESSAGE,
  MAX_TITLE_LENGTH,
  TURN_PAGE_SIZE,
} from './limits.ts';
import { preferences, preferencesChange, secretScope } from './preferences.ts';

/**
 * The contract between the engine and whatever stands before it: the window across the bridge, or the headless CLI in
 * the same process. Every call has a schema for what goes in and what comes out, every event has one. Inputs are strict:
 * a field that is not named here is an error, not ignored.
 */

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'expected bytes');
const nothing = z.strictObject({});
const done = z.object({});
const messageText = z.string();
const attachmentIds = z.array(attachmentId).max(MAX_ATTACHMENTS_PER_MESSAGE);

const call = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({ input, output });

export const engineCalls = {
  /** What is this engine, and where does it keep things. */
  about: call(
    nothing,
    z.object({ version: z.string(), dataDirectory: z.string(), homeDirectory: z.string(), platform: z.string() }),
  ),

  /** Looks the agents up; `refresh` asks the login shell for its PATH anew. */
  listAgents: call(
    z.strictObject({
      refresh: z.boolean().default(false),
      /** Without, programs that have not said their version yet are asked, and not waited for. */
      versions: z.boolean().default(true),
    }),
    z.object({
      agents: z.array(agentStatus),
      search: z.object({
        /** The directories that are searched, in order. */
        path: z.array(z.string()),
        /** Whether the login shell told its PATH; `waiting`: not yet, and what it says later will hold from then on. */
        loginShell: z.enum(['asked', 'waiting', 'no-answer', 'not-asked']),
        shell: z.string().nullable(),
      }),
    }),
  ),

  /**
   * Begins one real turn of an agent in an empty directory of its own, as the first turn of a new conversation. That is a
   * conversation like any other: it can be stopped, and it stays, so that the run can be reviewed.
   */
  startTrial: call(
    z.strictObject({ agent: agentId, definitionId: definitionId.optional() }),
    z.object({ conversationId, turnId }),
  ),
  /**
   * What is to be said of an operator's command while it is written: sentences by field, the words that its program would
   * get in some turns, and where the program was found. It can be saved when no sentence is a problem.
   */
  checkCommand: call(
    z.strictObject({ definition: commandDraft }),
    z.object({
      problems: z.array(commandProblem),
      examples: z.array(z.object({ title: z.string(), words: z.array(z.string()) })),
      program: z.string().nullable(),
    }),
  ),
  /** Newest first, by creation. `unreadable` counts records that are stored but cannot be parsed. */
  listConversations: call(
    nothing,
    z.object({ conversations: z.array(conversationSummary), unreadable: z.number().int() }),
  ),
  createConversation: call(
    z.strictObject({
      /** Absolute, or beginning with `~/`. Must be an existing directory. */
      cwd: z.string().min(1),
      kind: conversationKind,
      title: z.string().trim().max(MAX_TITLE_LENGTH).optional(),
      seats: z.array(newSeat).min(1).max(8),
    }),
    conversationSnapshot,
  ),
  openConversation: call(z.strictObject({ conversationId }), conversationSnapshot),
  /** An older page of the transcript, oldest first. */
  listTurns: call(
    z.strictObject({
      conversationId,
      beforePosition: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(TURN_PAGE_SIZE).default(TURN_PAGE_SIZE),
    }),
    z.object({ turns: z.array(turn), earlierTurns: z.number().int() }),
  ),
  renameConversation: call(
    z.strictObject({ conversationId, title: z.string().trim().min(1).max(MAX_TITLE_LENGTH) }),
    done,
  ),
  /** Chooses another working directory; the seats start fresh sessions there. Refused while a turn runs. */
  moveConversation: call(z.strictObject({ conversationId, cwd: z.string().min(1) }), done),
  /** Deletes the conversation, its attachments and its artifacts. Refused while a turn runs. */
  deleteConversation: call(z.strictObject({ conversationId }), done),

  /**
   * A changed agent or model starts a fresh session; a changed access or limit holds from the next turn on. With the
   * agent the model is set back, unless it is named too. Refused while the seat works.
   */
  updateSeat: call(
    z.strictObject({
      seatId,
      agent: agentId.optional(),
      definitionId: definitionId.nullable().optional(),
      access: access.optional(),
      model: z.string().trim().min(1).max(200).nullable().optional(),
      timeoutMs: timeoutMs.optional(),
      idleTimeoutMs: timeoutMs.nullable().optional(),
    }),
    z.object({ seat }),
  ),
  /**
   * Forgets the agent's own session of this seat: the next turn opens a new one. With `replay` that one is told what was
   * said before. Also changes whether a fresh session that is to come is told it.
   */
  startFreshSession: call(z.strictObject({ seatId, replay: z.boolean().default(false) }), z.object({ seat })),

  saveDraft: call(z.strictObject({ conversationId, text: messageText, attachmentIds }), z.object({ draft })),
  /**
   * Takes a durable copy of an image and puts it into the draft. A refused image is an error whose code is
   * `attachment-refused` and whose message is the sentence of `describeRefusal`.
   */
  addAttachment: call(
    z.strictObject({
      conversationId,
      name: z.string().min(1).max(1_000),
      /** The type that the source declared; empty when it declared none. */
      declaredType: z.string().max(200),
      bytes: bytes.refine((value) => value.byteLength <= MAX_ATTACHMENT_BYTES + 1, 'more than an image may have'),
    }),
    z.object({ attachment }),
  ),
  /** Takes an attachment out of the draft, and deletes the copy when no message refers to it. */
  removeAttachment: call(z.strictObject({ conversationId, attachmentId }), z.object({ draft })),

  /**
   * Stores the message, empties the draft, and starts the turn or queues it behind the one that runs. Comes back as soon
   * as the message is durable.
   */
  sendMessage: call(
    z.strictObject({
      conversationId,
      text: messageText,
      attachmentIds,
      /** All seats when it is left out. */
      seatIds: z.array(seatId).min(1).optional(),
    }),
    z.object({ turn }),
  ),
  /** Changes a queued or held message. `expectedText` is what the operator saw: if it changed since, nothing is done. */
  editQueued: call(
    z.strictObject({ turnId, expectedText: messageText, text: messageText, attachmentIds }),
    z.object({ turn }),
  ),
  removeQueued: call(z.strictObject({ turnId }), done),
  /** Sends what was held since Parley ended. */
  releaseHeld: call(z.strictObject({ conversationId }), done),
  /**
   * Sends the text and attachments of an ended turn again, as a new turn; `without` leaves attachments out. To the seats
   * that it went to, or to those that are named: one that has answered need not be asked twice.
   */
  sendAgain: call(
    z.strictObject({ turnId, without: z.array(attachmentId).default([]), seatIds: z.array(seatId).min(1).optional() }),
    z.object({ turn }),
  ),
  /** As `sendAgain`, at a later time, even after a restart of Parley. */
  continueThen: call(
    z.strictObject({ turnId, at: z.number().int(), seatIds: z.array(seatId).min(1).optional() }),
    z.object({ turn }),
  ),
  /** Sends a scheduled turn now. */
  sendScheduledNow: call(z.strictObject({ turnId }), z.object({ turn })),
  /** Gives a running invocation `MORE_TIME_MS` more on both clocks. */
  giveMoreTime: call(z.strictObject({ invocationId }), z.object({ clock })),
  /** Ends whatever runs in the conversation, whole process trees. Comes back when they are gone. */
  stopTurn: call(z.strictObject({ conversationId }), z.object({ stopped: z.number().int() })),

  /** Comes back when nothing runs or is queued in the turn's conversation any more, with the turn as it is then. */
  awaitTurn: call(z.strictObject({ turnId }), z.object({ turn })),
  getInvocation: call(z.strictObject({ invocationId }), z.object({ invocation: invocationState })),
  /** Evidence of a conversation in the order in which it was reported. */
  listEvidence: call(
    z.strictObject({
      conversationId,
      invocationId: invocationId.optional(),
      offset: z.number().int().nonnegative().default(0),
      limit: z.number().int().min(1).max(EVIDENCE_PAGE_SIZE).default(EVIDENCE_PAGE_SIZE),
    }),
    z.object({ rows: z.array(evidenceRow), total: z.number().int() }),
  ),
  listArtifacts: call(z.strictObject({ run: runId }), z.object({ artifacts: z.array(artifact) })),
  /** Bytes of an artifact from `offset`; shorter than `length` at its end. */
  readArtifact: call(
    z.strictObject({
      run: runId,
      name: z.string().min(1).max(255),
      offset: z.number().int().nonnegative().default(0),
      length: z.number().int().min(1).max(MAX_ARTIFACT_READ_BYTES).default(MAX_ARTIFACT_READ_BYTES),
    }),
    z.object({ bytes, offset: z.number().int(), size: z.number().int() }),
  ),
  /**
   * Begins to send `live` events for an invocation's raw output from now on; `sizes` is how much of each stream is on
   * disk already, to be read with `readArtifact`. Watching an ended invocation is allowed and sends nothing.
   */
  watchLive: call(
    z.strictObject({ invocationId }),
    z.object({
      run: runId,
      stem: z.string(),
      running: z.boolean(),
      sizes: z.object({ stdout: z.number().int(), stderr: z.number().int() }),
    }),
  ),
  unwatchLive: call(z.strictObject({ invocationId }), done),
} as const;

export const engineEvents = {
  /** A conversation is new or its summary changed. */
  conversation: z.object({ conversation: conversationSummary }),
  conversationRemoved: z.object({ conversationId }),
  seat: z.object({ seat }),
  /** A clock of a running invocation was set anew: at its start, by output (at most once a second), by the operator. */
  clock: z.object({ conversationId, clock }),
  /** A turn is new or changed: its state, its queued text, its invocations. */
  turn: z.object({ turn }),
  turnRemoved: z.object({ conversationId, turnId }),
  /** Consecutive SeatEvents of one invocation. */
  seatEvents: z.object({ conversationId, turnId, invocationId, events: z.array(seatEvent) }),
  /** Raw output of a watched invocation. When `offset` is past what was received, bytes were skipped: read the file. */
  live: z.object({
    invocationId,
    stream: z.enum(['stdout', 'stderr']),
    offset: z.number().int(),
    bytes,
  }),
  /** Something that the operator should know and that belongs to no conversation. */
  notice: z.object({ level: z.enum(['info', 'warning']), text: z.string() }),
} as const;

/** What only the desktop can do. */
export const desktopCalls = {
  /** Opens the platform's directory picker; `null` when it was dismissed. */
  chooseDirectory: call(
    z.strictObject({ startIn: z.string().optional() }),
    z.object({ directory: z.string().nullable() }),
  ),
  getPreferences: call(nothing, z.object({ preferences })),
  setPreferences: call(z.strictObject({ preferences: preferencesChange }), z.object({ preferences })),
  /** Where secrets are kept: by the system's keychain, or only until Parley ends because there is none. */
  secretStorage: call(nothing, z.object({ kind: z.enum(['keychain', 'session-only']), detail: z.string() })),
  /** Keeps the value of a variable whose `value` in the settings is `null`; `null` forgets it. It never comes back. */
  setSecret: call(
    z.strictObject({
      scope: secretScope,
      name: z.string().min(1).max(200),
      value: z.string().max(MAX_VARIABLE_LENGTH).nullable(),
    }),
    done,
  ),
  /** Names of the variables of a scope whose values are kept. */
  listSecrets: call(z.strictObject({ scope: secretScope }), z.object({ names: z.array(z.string()) })),
  /** Asks the operator, then opens an https: or mailto: address outside. */
  openExternal: call(z.strictObject({ url: z.string().max(8_000) }), z.object({ opened: z.boolean() })),
  copyText: call(z.strictObject({ text: z.string() }), done),
  /** Shows the file in the platform's file manager. */
  revealAttachment: call(z.strictObject({ attachmentId }), done),
  revealArtifact: call(z.strictObject({ run: runId, name: z.string().min(1).max(255) }), done),
  /** Copies the file to where the operator says; `null` when dismissed. */
  saveAttachmentAs: call(z.strictObject({ attachmentId }), z.object({ path: z.string().nullable() })),
  saveArtifactAs: call(
    z.strictObject({ run: runId, name: z.string().min(1).max(255) }),
    z.object({ path: z.string().nullable() }),
  ),
} as const;

/** Commands that the menu and the palette share. */
export const commandId = z.enum([
  'new-conversation',
  'command-palette',
  'find-in-conversation',
  'toggle-sidebar',
  'toggle-review',
  'focus-composer',
  'attach-images',
  'stop',
  'edit-last-queued',
  'settings',
  'review-run',
  'review-live',
  'review-artifacts',
  'review-evidence',
  'rename-conversation',
  'delete-conversation',
]);
export type CommandId = z.infer<typeof commandId>;

export const desktopEvents = {
  /** A menu item was chosen. */
  command: z.object({ command: commandId }),
  preferences: z.object({ preferences }),
} as const;

export const bridgeCalls = { ...engineCalls, ...desktopCalls } as const;
export const bridgeEvents = { ...engineEvents, ...desktopEvents } as const;

export type EngineCallName = keyof typeof engineCalls;
export type DesktopCallName = keyof typeof desktopCalls;
export type BridgeCallName = keyof typeof bridgeCalls;
export type EngineEventName = keyof typeof engineEvents;
export type BridgeEventName = keyof typeof bridgeEvents;

/** What a caller passes: fields with defaults may be left out. */
export type CallInput<Name extends BridgeCallName> = z.input<(typeof bridgeCalls)[Name]['input']>;
/** What a handler receives: parsed, defaults filled in. */
export type CallParsed<Name extends BridgeCallName> = z.output<(typeof bridgeCalls)[Name]['input']>;
export type CallOutput<Name extends BridgeCallName> = z.output<(typeof bridgeCalls)[Name]['output']>;
export type EventPayload<Name extends BridgeEventName> = z.output<(typeof bridgeEvents)[Name]>;

export type EngineEvent = { [Name in EngineEventName]: { name: Name; payload: EventPayload<Name> } }[EngineEventName];
export type BridgeEvent = { [Name in BridgeEventName]: { name: Name; payload: EventPayload<Name> } }[BridgeEventName];

export type CallResult<Value> = { ok: true; value: Value } | { ok: false; error: Failure };
export const callError = failure;

/** What preload puts on `window.parley`. */
export interface Bridge {
  call<Name extends BridgeCallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>>;
  /** Returns a function that ends the subscription. */
  on<Name extends BridgeEventName>(event: Name, listener: (payload: EventPayload<Name>) => void): () => void;
}
