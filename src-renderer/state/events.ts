import { agentId } from '../../src-shared/agents.ts';
import type { BridgeEvent, CommandId } from '../../src-shared/api.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { loadAgents } from './agents.ts';
import { listen } from './bridge.ts';
import { applyToConversation } from './conversation.ts';
import { applyToList } from './conversations.ts';
import { tell } from './notices.ts';
import { usePreferences } from './preferences.ts';

function takePreferences(preferences: Preferences): void {
  const { executables } = usePreferences.getState().preferences;
  usePreferences.setState({ preferences });
  // What the operator named is found, or not, from now on.
  if (!isSame(executables, preferences.executables)) void loadAgents(false);
}

function isSame(one: Preferences['executables'], other: Preferences['executables']): boolean {
  return agentId.options.every((id) => one[id] === other[id]);
}

/**
 * The one place where events enter the window. They are collected until the message that brought them has been handed
 * over whole, and then applied together: one change of each store, one render.
 */
export function startEventBridge(onCommand: (command: CommandId) => void): () => void {
  let pending: BridgeEvent[] = [];

  function flush(): void {
    const events = pending;
    pending = [];
    applyToList(events);
    applyToConversation(events);
    for (const event of events) {
      if (event.name === 'notice') tell(event.payload.level, event.payload.text);
      else if (event.name === 'preferences') takePreferences(event.payload.preferences);
      else if (event.name === 'command') onCommand(event.payload.command);
    }
  }

  function take(event: BridgeEvent): void {
    if (pending.length === 0) queueMicrotask(flush);
    pending.push(event);
  }

  const ends = [
    listen('conversation', (payload) => take({ name: 'conversation', payload })),
    listen('conversationRemoved', (payload) => take({ name: 'conversationRemoved', payload })),
    listen('seat', (payload) => take({ name: 'seat', payload })),
    listen('clock', (payload) => take({ name: 'clock', payload })),
    listen('turn', (payload) => take({ name: 'turn', payload })),
    listen('turnRemoved', (payload) => take({ name: 'turnRemoved', payload })),
    listen('seatEvents', (payload) => take({ name: 'seatEvents', payload })),
    listen('notice', (payload) => take({ name: 'notice', payload })),
    listen('command', (payload) => take({ name: 'command', payload })),
    listen('preferences', (payload) => take({ name: 'preferences', payload })),
  ];
  return () => {
    for (const end of ends) end();
  };
}
