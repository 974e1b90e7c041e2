import type { Database } from '../storage/index.ts';
import { AttachmentStore } from './attachments.ts';
import { ConversationStore } from './conversations.ts';
import { DraftStore } from './drafts.ts';
import { InvocationStore } from './invocations.ts';
import { SeatStore } from './seats.ts';
import { TurnStore } from './turns.ts';

export type { AttachmentStore } from './attachments.ts';
export { titleFrom } from './conversations.ts';
export type { InvocationRecord, InvocationStore } from './invocations.ts';
export type { SeatChange } from './seats.ts';

/** Everything that is stored of conversations. Every write starts from what is stored, never from a copy in memory. */
export interface ConversationRecords {
  readonly conversations: ConversationStore;
  readonly seats: SeatStore;
  readonly turns: TurnStore;
  readonly drafts: DraftStore;
  readonly attachments: AttachmentStore;
  readonly invocations: InvocationStore;
}

/** `attachmentsDirectory` is absolute and holds one directory for each conversation. */
export function openRecords(database: Database, attachmentsDirectory: string): ConversationRecords {
  const attachments = new AttachmentStore(database, attachmentsDirectory);
  const invocations = new InvocationStore(database);
  return {
    conversations: new ConversationStore(database),
    seats: new SeatStore(database),
    turns: new TurnStore(database, attachments, invocations),
    drafts: new DraftStore(database, attachments),
    attachments,
    invocations,
  };
}
