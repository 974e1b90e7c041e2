import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { CallOutput, CallParsed, EngineCallName, EngineEvent } from '../../src-shared/api.ts';
import type { ConversationSnapshot, Seat, Turn } from '../../src-shared/conversations.ts';
import { ParleyError } from '../../src-shared/failure.ts';
import type { AttachmentId, ConversationId, SeatId } from '../../src-shared/ids.ts';
import { DEFAULT_TIMEOUT_MS, MAX_MESSAGE_BYTES } from '../../src-shared/limits.ts';
import { agentById } from './agents/index.ts';
import { type ConversationRecords, titleFrom } from './conversations/index.ts';
import { type AgentFinder, busyError, type Runner } from './runner/index.ts';
import type { ArtifactService } from './services/index.ts';
import type { Database } from './storage/index.ts';

export interface CallParts {
  readonly database: Database;
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly finder: AgentFinder;
  readonly runner: Runner;
  readonly owner: string;
  readonly about: CallOutput<'about'>;
  defaultTimeoutMs(): number | undefined;
  publish(event: EngineEvent): void;
}

export type Handlers = {
  [Name in EngineCallName]: (input: CallParsed<Name>) => Promise<CallOutput<Name>> | CallOutput<Name>;
};

/** One handler for each call of the contract. Inputs are parsed already; what is thrown becomes the caller's failure. */
export function engineHandlers(parts: CallParts): Handlers {
  return { ...lookingHandlers(parts), ...conversationHandlers(parts), ...messageHandlers(parts) };
}

type Some<Names extends EngineCallName> = Pick<Handlers, Names>;

function lookingHandlers({
  records,
  artifacts,
  finder,
  runner,
  about,
}: CallParts): Some<
  | 'about'
  | 'listAgents'
  | 'getInvocation'
  | 'listEvidence'
  | 'listArtifacts'
  | 'readArtifact'
  | 'watchLive'
  | 'unwatchLive'
> {
  return {
    about: () => about,
    listAgents: async ({ refresh }) => ({ agents: await finder.statuses(refresh) }),
    getInvocation: ({ invocationId }) => ({ invocation: records.invocations.state(invocationId) }),
    listEvidence: ({ conversationId, invocationId, offset, limit }) =>
      records.invocations.evidence(conversationId, invocationId, offset, limit),
    listArtifacts: async ({ run }) => {
      const stems = new Map(records.invocations.ofRun(run).map(({ stem, id }) => [stem, id]));
      return { artifacts: await artifacts.list(run, stems) };
    },
    readArtifact: async ({ run, name, offset, length }) => ({
      ...(await artifacts.read(run, name, offset, length)),
      offset,
    }),
    watchLive: async ({ invocationId }) => {
      const { run, stem } = records.invocations.get(invocationId);
      // Watched before the sizes are taken: what comes in between is then in both, and the offsets tell.
      const running = runner.watch(invocationId);
      return { run, stem, running, sizes: await artifacts.sizes(run, stem) };
    },
    unwatchLive: ({ invocationId }) => {
      runner.unwatch(invocationId);
      return {};
    },
  };
}

function conversationHandlers(
  parts: CallParts,
): Some<
  | 'listConversations'
  | 'createConversation'
  | 'openConversation'
  | 'listTurns'
  | 'renameConversation'
  | 'moveConversation'
  | 'deleteConversation'
  | 'updateSeat'
  | 'startFreshSession'
> {
  const { database, records, artifacts, publish } = parts;
  const publishConversation = (id: ConversationId) =>
    publish({ name: 'conversation', payload: { conversation: records.conversations.get(id) } });
  const refuseWhileBusy = (id: ConversationId) => {
    if (records.conversations.get(id).running > 0) throw busyError();
  };
  const snapshot = async (id: ConversationId): Promise<ConversationSnapshot> => {
    const conversation = records.conversations.get(id);
    return {
      conversation,
      seats: records.seats.list(id),
      ...records.turns.latest(id),
      draft: records.drafts.get(id),
      cwdExists: await isDirectory(conversation.cwd),
    };
  };
  const updateSeat = (id: SeatId, change: Parameters<typeof records.seats.update>[1]): { seat: Seat } => {
    const seat = records.seats.update(id, change);
    publish({ name: 'seat', payload: { seat } });
    return { seat };
  };
  return {
    listConversations: () => records.conversations.list(),
    createConversation: async ({ cwd, kind, title, seats }) => {
      const directory = await resolveDirectory(cwd);
      if (kind === 'chat' && seats.length !== 1) {
        throw new ParleyError('seats', 'A chat has one seat.', 'Choose one agent, or start a talk.');
      }
      const id = database.transaction(() => {
        const conversation = records.conversations.create({ kind, cwd: directory, title });
        const taken: string[] = [];
        for (const [position, { agent, model, access, timeoutMs }] of seats.entries()) {
          const name = nameSeat(agentById(agent).label, taken);
          taken.push(name);
          records.seats.create({
            conversationId: conversation,
            position,
            agent,
            name,
            model,
            access,
            role: 'chat',
            timeoutMs: timeoutMs ?? parts.defaultTimeoutMs() ?? DEFAULT_TIMEOUT_MS,
          });
        }
        return conversation;
      });
      publishConversation(id);
      return snapshot(id);
    },
    openConversation: ({ conversationId }) => snapshot(conversationId),
    listTurns: ({ conversationId, beforePosition, limit }) =>
      records.turns.before(conversationId, beforePosition, limit),
    renameConversation: ({ conversationId, title }) => {
      records.conversations.rename(conversationId, title);
      publishConversation(conversationId);
      return {};
    },
    moveConversation: async ({ conversationId, cwd }) => {
      const directory = await resolveDirectory(cwd);
      database.transaction(() => {
        refuseWhileBusy(conversationId);
        records.conversations.move(conversationId, directory);
        // Agents file their sessions by directory; one of another directory is not resumed here.
        for (const seat of records.seats.list(conversationId)) updateSeat(seat.id, { sessionId: null });
      });
      publishConversation(conversationId);
      return {};
    },
    deleteConversation: async ({ conversationId }) => {
      const runs = database.transaction(() => {
        refuseWhileBusy(conversationId);
        const all = records.turns.runsOf(conversationId);
        records.conversations.delete(conversationId);
        return all;
      });
      publish({ name: 'conversationRemoved', payload: { conversationId } });
      await records.attachments.deleteFiles(conversationId);
      for (const run of runs) await artifacts.delete(run);
      return {};
    },
    updateSeat: ({ seatId, access, model, timeoutMs }) => {
      const before = records.seats.get(seatId);
      const changesModel = model !== undefined && model !== before.model;
      return updateSeat(seatId, {
        ...(access === undefined ? {} : { access }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(changesModel ? { model, sessionId: null } : {}),
      });
    },
    startFreshSession: ({ seatId }) => updateSeat(seatId, { sessionId: null }),
  };
}

function messageHandlers(
  parts: CallParts,
): Some<
  | 'saveDraft'
  | 'addAttachment'
  | 'removeAttachment'
  | 'sendMessage'
  | 'editQueued'
  | 'removeQueued'
  | 'releaseHeld'
  | 'sendAgain'
  | 'stopTurn'
> {
  const { database, records, runner, publish, owner } = parts;
  const send = (
    conversation: ConversationId,
    text: string,
    attachmentIds: readonly AttachmentId[],
    seatIds: readonly SeatId[] | undefined,
    before: (turn: Turn) => void,
  ): { turn: Turn } => {
    checkMessage(text, attachmentIds);
    const turn = database.transaction(() => {
      records.conversations.get(conversation);
      const seats = records.seats.list(conversation).map((seat) => seat.id);
      const addressed = seatIds ?? seats;
      if (addressed.some((id) => !seats.includes(id))) {
        throw new ParleyError('no-seat', 'The message is addressed to a seat that is not at this table.');
      }
      const added = records.turns.add({ conversationId: conversation, text, attachmentIds, seatIds: addressed, owner });
      if (added.position === 0) {
        records.conversations.nameAfter(conversation, titleFrom(text, added.attachments[0]?.name));
      }
      records.conversations.touch(conversation);
      before(added);
      return added;
    });
    runner.publishTurn(turn);
    runner.drain(conversation);
    return { turn };
  };
  return {
    saveDraft: ({ conversationId, text, attachmentIds }) => {
      records.conversations.get(conversationId);
      checkLength(text);
      return { draft: records.drafts.save(conversationId, text, attachmentIds) };
    },
    addAttachment: async ({ conversationId, name, declaredType, bytes }) => {
      records.conversations.get(conversationId);
      records.drafts.checkRoom(conversationId, name);
      const attachment = await records.attachments.add(conversationId, { name, declaredType, bytes }, (added) =>
        records.drafts.append(conversationId, added),
      );
      return { attachment };
    },
    removeAttachment: async ({ conversationId, attachmentId }) => {
      const draft = records.drafts.remove(conversationId, attachmentId);
      await records.attachments.collect(conversationId);
      return { draft };
    },
    sendMessage: ({ conversationId, text, attachmentIds, seatIds }) =>
      send(conversationId, text, attachmentIds, seatIds, () => records.drafts.clearSent(conversationId, attachmentIds)),
    editQueued: async ({ turnId, expectedText, text, attachmentIds }) => {
      checkMessage(text, attachmentIds);
      const turn = records.turns.edit(turnId, expectedText, text, attachmentIds);
      await records.attachments.collect(turn.conversationId);
      runner.publishTurn(turn);
      return { turn };
    },
    removeQueued: async ({ turnId }) => {
      const { conversationId } = records.turns.get(turnId);
      records.turns.removeWaiting(turnId);
      publish({ name: 'turnRemoved', payload: { conversationId, turnId } });
      publish({ name: 'conversation', payload: { conversation: records.conversations.get(conversationId) } });
      await records.attachments.collect(conversationId);
      return {};
    },
    releaseHeld: ({ conversationId }) => {
      for (const turn of records.turns.release(conversationId, owner)) runner.publishTurn(turn);
      runner.drain(conversationId);
      return {};
    },
    sendAgain: ({ turnId, without }) => {
      const { conversationId, text, attachments, seatIds } = records.turns.get(turnId);
      const kept = attachments.map((attachment) => attachment.id).filter((id) => !without.includes(id));
      return send(conversationId, text, kept, seatIds, () => {});
    },
    stopTurn: async ({ conversationId }) => ({ stopped: await runner.stop(conversationId) }),
  };
}

function checkLength(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new ParleyError(
      'message-too-long',
      `The message has ${Math.ceil(bytes / 1024 / 1024)} MiB; the limit is ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB.`,
      'Save the long part as a file in the working directory and name the file instead.',
    );
  }
}

function checkMessage(text: string, attachmentIds: readonly AttachmentId[]): void {
  if (text.trim() === '' && attachmentIds.length === 0) {
    throw new ParleyError('empty-message', 'There is nothing to send yet.', 'Write something, or attach an image.');
  }
  checkLength(text);
}

function nameSeat(label: string, taken: readonly string[]): string {
  if (!taken.includes(label)) return label;
  let number = 2;
  while (taken.includes(`${label} ${number}`)) number++;
  return `${label} ${number}`;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** The directory that the operator named, absolute and without symbolic links, so that it means the same to every CLI. */
async function resolveDirectory(named: string): Promise<string> {
  const path = named === '~' || named.startsWith('~/') ? join(homedir(), named.slice(1)) : named;
  if (!isAbsolute(path)) {
    throw new ParleyError(
      'bad-directory',
      `“${named}” is not an absolute path.`,
      'Begin it with / or ~/, or choose a directory.',
    );
  }
  const resolved = await realpath(path).catch(() => null);
  if (resolved === null || !(await isDirectory(resolved))) {
    throw new ParleyError(
      'bad-directory',
      `There is no directory “${named}”.`,
      'Check the spelling, or choose a directory.',
    );
  }
  return resolved;
}
