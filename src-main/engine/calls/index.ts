import { commandHandlers } from './commands.ts';
import { conversationHandlers } from './conversations.ts';
import { lookingHandlers } from './looking.ts';
import { messageHandlers } from './messages.ts';
import type { CallParts, Handlers } from './parts.ts';
import { seatHandlers } from './seats.ts';

export type { CallParts, EnginePreferences } from './parts.ts';

/** One handler for each call of the contract. Inputs are parsed already; what is thrown becomes the caller's failure. */
export function engineHandlers(parts: CallParts): Handlers {
  return {
    ...lookingHandlers(parts),
    ...conversationHandlers(parts),
    ...seatHandlers(parts),
    ...commandHandlers(parts),
    ...messageHandlers(parts),
  };
}
