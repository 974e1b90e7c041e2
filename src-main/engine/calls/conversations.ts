import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ConversationSnapshot } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { ConversationId } from '../../../src-shared/ids.ts';
import { busyError } from '../runner/index.ts';
import type { CallParts, Some } from './parts.ts';
import { takeSeats } from './seats.ts';

/** Conversations as a whole. */
export function conversationHandlers(
  parts: CallParts,
): Some<
  | 'listConversations'
  | 'createConversation'
  | 'openConversation'
  | 'listTurns'
  | 'renameConversation'
  | 'moveConversation'
  | 'deleteConversation'
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
      clocks: parts.runner.clocksOf(id),
      cwdExists: await isDirectory(conversation.cwd),
    };
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
        takeSeats(parts, conversation, seats);
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
        for (const { id, sessionId } of records.seats.list(conversationId)) {
          if (sessionId === null) continue;
          const seat = records.seats.update(id, { sessionId: null, freshBecause: 'directory-changed' });
          publish({ name: 'seat', payload: { seat } });
        }
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
  };
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
