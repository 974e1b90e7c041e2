import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, BridgeCallName, BridgeEventName, CallResult } from '../src-shared/api.ts';
import { CALL_CHANNEL, EVENTS_CHANNEL } from './desktop/channels.ts';

/**
 * The names of the contract, spelled out so that the sandboxed script loads no schemas; the compiler refuses a list that
 * lacks one or has one too many.
 */
const calls: Readonly<Record<BridgeCallName, true>> = {
  about: true,
  listAgents: true,
  startTrial: true,
  checkCommand: true,
  listConversations: true,
  createConversation: true,
  openConversation: true,
  listTurns: true,
  renameConversation: true,
  moveConversation: true,
  deleteConversation: true,
  updateSeat: true,
  startFreshSession: true,
  saveDraft: true,
  addAttachment: true,
  removeAttachment: true,
  sendMessage: true,
  editQueued: true,
  removeQueued: true,
  releaseHeld: true,
  sendAgain: true,
  continueThen: true,
  sendScheduledNow: true,
  giveMoreTime: true,
  stopTurn: true,
  awaitTurn: true,
  getInvocation: true,
  listEvidence: true,
  listArtifacts: true,
  readArtifact: true,
  watchLive: true,
  unwatchLive: true,
  chooseDirectory: true,
  getPreferences: true,
  setPreferences: true,
  secretStorage: true,
  setSecret: true,
  listSecrets: true,
  openExternal: true,
  copyText: true,
  revealAttachment: true,
  revealArtifact: true,
  saveAttachmentAs: true,
  saveArtifactAs: true,
};

const events: Readonly<Record<BridgeEventName, true>> = {
  conversation: true,
  conversationRemoved: true,
  seat: true,
  clock: true,
  turn: true,
  turnRemoved: true,
  seatEvents: true,
  live: true,
  notice: true,
  command: true,
  preferences: true,
};

type Listener = (payload: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

ipcRenderer.on(EVENTS_CHANNEL, (_event, batch: readonly { name: string; payload: unknown }[]) => {
  for (const { name, payload } of batch) {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        // One listener's fault must not keep the event from the others.
        console.error(error);
      }
    }
  }
});

const refusal = (code: string, message: string): CallResult<never> => ({
  ok: false,
  error: { code, message, hint: '' },
});

async function call(name: string, input: unknown): Promise<CallResult<unknown>> {
  if (!Object.hasOwn(calls, name)) return refusal('unknown-call', 'There is no call of that name.');
  try {
    return await ipcRenderer.invoke(CALL_CHANNEL, name, input);
  } catch (error) {
    // What cannot be cloned never reaches the main process, and a main process that is going away does not answer.
    return refusal('bridge', error instanceof Error ? error.message : String(error));
  }
}

function on(name: string, listener: Listener): () => void {
  if (!Object.hasOwn(events, name)) throw new Error('There is no event of that name.');
  const set = listeners.get(name) ?? new Set();
  listeners.set(name, set);
  // A subscription of its own, so that one function subscribed twice is told twice and ended once.
  const subscription: Listener = (payload) => listener(payload);
  set.add(subscription);
  return () => {
    set.delete(subscription);
  };
}

contextBridge.exposeInMainWorld('parley', { call, on } satisfies Record<keyof Bridge, unknown>);
