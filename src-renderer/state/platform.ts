import type { CommandId } from '../../src-shared/api.ts';
import { commandTexts } from '../../src-shared/commands.ts';
import { shortcutText } from './shortcuts.ts';

/** Whether the window stands on macOS, which writes and presses shortcuts differently. */
export const IS_MAC = navigator.platform.startsWith('Mac');

/** The shortcut of a command as this platform writes it; `undefined` where there is none. */
export function shortcutOf(id: CommandId): string | undefined {
  return shortcutText(commandTexts[id].keys, IS_MAC);
}
