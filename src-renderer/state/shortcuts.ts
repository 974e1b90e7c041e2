import { type CommandId, commandId } from '../../src-shared/api.ts';
import { commandTexts, type Shortcut } from '../../src-shared/commands.ts';

/** What of a key press decides which command it means. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'isComposing'
>;

function isMod(press: KeyPress, isMac: boolean): boolean {
  return isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
}

function matches(press: KeyPress, keys: Shortcut, isMac: boolean): boolean {
  const mod = isMod(press, isMac);
  const anyMod = press.metaKey || press.ctrlKey;
  if (keys.mod ? !mod : anyMod) return false;
  if (press.altKey !== (keys.alt === true) || press.shiftKey !== (keys.shift === true)) return false;
  if (press.key.toLowerCase() === keys.key.toLowerCase()) return true;
  // With Alt held, macOS reports the character that Alt makes of the key.
  return keys.alt === true && press.code === `Key${keys.key.toUpperCase()}`;
}

/** The command that a key press means; `null` for none, and always while an input method composes. */
export function commandOf(press: KeyPress, isMac: boolean): CommandId | null {
  if (press.isComposing) return null;
  for (const id of commandId.options) {
    const { keys } = commandTexts[id];
    if (keys !== null && matches(press, keys, isMac)) return id;
  }
  return null;
}

/** The seat that Ctrl/Cmd+1…9 means, from 0; `null` for another key. */
export function seatPositionOf(press: KeyPress, isMac: boolean): number | null {
  if (press.isComposing || !isMod(press, isMac) || press.altKey || press.shiftKey) return null;
  return /^[1-9]$/.test(press.key) ? Number(press.key) - 1 : null;
}

const NAMES: Readonly<Record<string, string>> = { ArrowUp: '↑', Enter: '⏎' };

/** The shortcut as this platform writes it; `undefined` where there is none. */
export function shortcutText(keys: Shortcut | null, isMac: boolean): string | undefined {
  if (keys === null) return undefined;
  const key = NAMES[keys.key] ?? (keys.key.length === 1 ? keys.key.toUpperCase() : keys.key);
  if (isMac) return `${keys.alt ? '⌥' : ''}${keys.shift ? '⇧' : ''}${keys.mod ? '⌘' : ''}${key}`;
  return [...(keys.mod ? ['Ctrl'] : []), ...(keys.alt ? ['Alt'] : []), ...(keys.shift ? ['Shift'] : []), key].join('+');
}
