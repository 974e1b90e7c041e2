import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { refuseCount } from '../../src-shared/attachments.ts';
import type { Draft, Turn } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { AttachmentId, ConversationId, SeatId } from '../../src-shared/ids.ts';
import { call as bridgeCall } from './bridge.ts';
import { type DraftItem, type IntakeFile, refusalOfReadError, refusedItem, refuseUnread } from './intake.ts';

/** How long typing rests before the draft is stored, ms. */
export const SAVE_DELAY_MS = 400;

export interface DraftState {
  readonly text: string;
  readonly items: readonly DraftItem[];
  /** A message is on its way to the engine. */
  readonly sending: boolean;
  /** Why the last send or save did not work. */
  readonly failure: Failure | null;
}

export const EMPTY_DRAFT: DraftState = { text: '', items: [], sending: false, failure: null };

interface Drafts {
  byConversation: Readonly<Record<ConversationId, DraftState>>;
  /** Takes the stored draft, unless this window has a newer one. */
  adopt(id: ConversationId, stored: Draft): void;
  setText(id: ConversationId, text: string): void;
  addFiles(id: ConversationId, files: readonly IntakeFile[]): void;
  retry(id: ConversationId, key: string): void;
  /** Takes an image, or the note of a failed one, out of the draft. */
  remove(id: ConversationId, key: string): void;
  /** Sends exactly what the draft shows now. `null` when it was not sent; the draft then holds it again, and says why. */
  send(id: ConversationId, seatIds: readonly SeatId[] | null): Promise<Turn | null>;
  /** Stores what is not stored yet, now. */
  flush(id: ConversationId): void;
  flushAll(): void;
  dismissFailure(id: ConversationId): void;
  forget(id: ConversationId): void;
}

export function canSend(draft: DraftState): boolean {
  if (draft.sending || draft.items.some((item) => item.kind === 'adding')) return false;
  return draft.text.trim() !== '' || draft.items.some((item) => item.kind === 'ready');
}

function readyIds(draft: DraftState): AttachmentId[] {
  return draft.items.flatMap((item) => (item.kind === 'ready' ? [item.attachment.id] : []));
}

function joinTexts(first: string, second: string): string {
  if (second === '') return first;
  return first === '' ? second : `${first}\n${second}`;
}

/** The drafts of this window. Calls of one conversation go to the engine one after another, in the order of the intents. */
export function createDrafts(call: typeof bridgeCall): UseBoundStore<StoreApi<Drafts>> {
  const chains = new Map<ConversationId, Promise<void>>();
  /** Conversations whose text is newer than what is stored, with the timer that will store it. */
  const unsaved = new Map<ConversationId, ReturnType<typeof setTimeout>>();
  let lastKey = 0;

  return create<Drafts>()((set, get) => {
    const read = (id: ConversationId): DraftState => get().byConversation[id] ?? EMPTY_DRAFT;

    function change(id: ConversationId, changed: Partial<DraftState>): void {
      set(({ byConversation }) => ({
        byConversation: { ...byConversation, [id]: { ...(byConversation[id] ?? EMPTY_DRAFT), ...changed } },
      }));
    }

    function replaceItem(id: ConversationId, key: string, item: DraftItem | null): void {
      const items = read(id).items.flatMap((each) => (each.key === key ? (item === null ? [] : [item]) : [each]));
      change(id, { items });
    }

    function enqueue(id: ConversationId, job: () => Promise<void>): Promise<void> {
      const chained = (chains.get(id) ?? Promise.resolve()).then(job);
      chains.set(id, chained);
      return chained.finally(() => {
        if (chains.get(id) === chained) chains.delete(id);
      });
    }

    async function save(id: ConversationId): Promise<void> {
      const draft = read(id);
      const result = await call('saveDraft', {
        conversationId: id,
        text: draft.text,
        attachmentIds: readyIds(draft),
      });
      if (!result.ok) change(id, { failure: result.error });
    }

    function saveSoon(id: ConversationId): void {
      clearTimeout(unsaved.get(id));
      unsaved.set(
        id,
        setTimeout(() => {
          unsaved.delete(id);
          void enqueue(id, () => save(id));
        }, SAVE_DELAY_MS),
      );
    }

    function cancelSave(id: ConversationId): boolean {
      clearTimeout(unsaved.get(id));
      return unsaved.delete(id);
    }

    async function add(id: ConversationId, key: string, file: IntakeFile): Promise<void> {
      const isWanted = () => read(id).items.some((item) => item.key === key);
      if (!isWanted()) return;
      const refused = refuseUnread(file) ?? refuseCount(readyIds(read(id)).length);
      if (refused !== null) {
        replaceItem(id, key, refusedItem(key, file, refused));
        return;
      }
      let bytes: Uint8Array;
      try {
        bytes = new Uint8Array(await file.read());
      } catch (error) {
        replaceItem(id, key, refusedItem(key, file, refusalOfReadError(error)));
        return;
      }
      const result = await call('addAttachment', {
        conversationId: id,
        name: file.name,
        declaredType: file.type,
        bytes,
      });
      if (result.ok) {
        const { attachment } = result.value;
        if (isWanted()) replaceItem(id, key, { kind: 'ready', key, attachment });
        else await call('removeAttachment', { conversationId: id, attachmentId: attachment.id });
        return;
      }
      const { message: sentence, hint, code } = result.error;
      const retry = code === 'attachment-refused' ? null : file;
      replaceItem(id, key, { kind: 'failed', key, name: file.name, sentence, hint, retry });
    }

    return {
      byConversation: {},

      adopt(id, stored) {
        // What this window has of a draft was told to the engine, or is about to be: it is at least as new.
        if (get().byConversation[id] !== undefined && (unsaved.has(id) || chains.has(id) || read(id).sending)) return;
        const notes = read(id).items.filter((item) => item.kind === 'failed');
        const ready = stored.attachments.map(
          (attachment): DraftItem => ({ kind: 'ready', key: attachment.id, attachment }),
        );
        change(id, { text: stored.text, items: [...ready, ...notes] });
      },

      setText(id, text) {
        change(id, { text });
        saveSoon(id);
      },

      addFiles(id, files) {
        const keyed = files.map((file) => {
          lastKey += 1;
          return { key: `new-${lastKey}`, file };
        });
        const adding = keyed.map(({ key, file }): DraftItem => ({ kind: 'adding', key, name: file.name }));
        change(id, { items: [...read(id).items, ...adding] });
        for (const { key, file } of keyed) void enqueue(id, () => add(id, key, file));
      },

      retry(id, key) {
        const item = read(id).items.find((each) => each.key === key);
        if (item?.kind !== 'failed' || item.retry === null) return;
        const { retry, name } = item;
        replaceItem(id, key, { kind: 'adding', key, name });
        void enqueue(id, () => add(id, key, retry));
      },

      remove(id, key) {
        const item = read(id).items.find((each) => each.key === key);
        replaceItem(id, key, null);
        if (item?.kind !== 'ready') return;
        const { attachment } = item;
        void enqueue(id, async () => {
          const result = await call('removeAttachment', { conversationId: id, attachmentId: attachment.id });
          if (!result.ok) change(id, { items: [...read(id).items, item], failure: result.error });
        });
      },

      async send(id, seatIds) {
        const shown = read(id);
        if (!canSend(shown)) return null;
        cancelSave(id);
        const taken = shown.items.filter((item) => item.kind === 'ready');
        const kept = shown.items.filter((item) => item.kind !== 'ready');
        change(id, { text: '', items: kept, sending: true, failure: null });
        let sent: Turn | null = null;
        await enqueue(id, async () => {
          const result = await call('sendMessage', {
            conversationId: id,
            text: shown.text,
            attachmentIds: readyIds(shown),
            ...(seatIds === null ? {} : { seatIds: [...seatIds] }),
          });
          if (result.ok) {
            sent = result.value.turn;
            change(id, { sending: false });
            return;
          }
          const now = read(id);
          change(id, {
            text: joinTexts(shown.text, now.text),
            items: [...taken, ...now.items],
            sending: false,
            failure: result.error,
          });
        });
        // Sending empties the stored draft, and a failed send leaves an older one: store what is on screen.
        if (sent === null || read(id).text !== '') saveSoon(id);
        return sent;
      },

      flush(id) {
        if (cancelSave(id)) void enqueue(id, () => save(id));
      },

      flushAll() {
        // The page may be on its way out, so this cannot wait for its place behind an image that is being added.
        for (const id of [...unsaved.keys()]) if (cancelSave(id)) void save(id);
      },

      dismissFailure: (id) => change(id, { failure: null }),

      forget(id) {
        cancelSave(id);
        set(({ byConversation }) => {
          const { [id]: _forgotten, ...rest } = byConversation;
          return { byConversation: rest };
        });
      },
    };
  });
}

export const useDrafts = createDrafts(bridgeCall);

export function useDraft(id: ConversationId): DraftState {
  return useDrafts((state) => state.byConversation[id] ?? EMPTY_DRAFT);
}
