import type { CommandId } from './api.ts';

/** Keys of a command. `mod` is Command on macOS and Control elsewhere. */
export interface Shortcut {
  readonly mod?: true;
  readonly alt?: true;
  readonly shift?: true;
  /** As `KeyboardEvent.key` has it, letters in lower case. */
  readonly key: string;
}

export interface CommandText {
  readonly label: string;
  readonly keys: Shortcut | null;
}

/** Every command with its words and its keys: the menu, the palette, the tooltips and the key handler share this table. */
export const commandTexts: Readonly<Record<CommandId, CommandText>> = {
  'new-conversation': { label: 'New conversation', keys: { mod: true, key: 'n' } },
  'command-palette': { label: 'Command palette', keys: { mod: true, key: 'k' } },
  'find-in-conversation': { label: 'Find in conversation', keys: { mod: true, key: 'f' } },
  'toggle-sidebar': { label: 'Show or hide the sidebar', keys: { mod: true, key: 'b' } },
  'toggle-review': { label: 'Show or hide the review', keys: { mod: true, alt: true, key: 'b' } },
  'focus-composer': { label: 'Write a message', keys: { mod: true, key: 'l' } },
  'attach-images': { label: 'Attach images', keys: { mod: true, shift: true, key: 'a' } },
  stop: { label: 'Stop what runs in this conversation', keys: { mod: true, key: '.' } },
  'edit-last-queued': { label: 'Edit the last queued message', keys: { alt: true, key: 'ArrowUp' } },
  settings: { label: 'Settings', keys: { mod: true, key: ',' } },
  'review-run': { label: 'Review: run', keys: null },
  'review-live': { label: 'Review: live output', keys: null },
  'review-artifacts': { label: 'Review: artifacts', keys: null },
  'review-evidence': { label: 'Review: evidence', keys: null },
  'rename-conversation': { label: 'Rename the conversation', keys: { key: 'F2' } },
  'delete-conversation': { label: 'Delete the conversation', keys: null },
};

/** The shortcut as Electron's menu wants it; `null` where there is none. */
export function acceleratorOf(keys: Shortcut | null): string | null {
  if (keys === null) return null;
  const key = keys.key.replace(/^Arrow/, '');
  return [
    ...(keys.mod ? ['CommandOrControl'] : []),
    ...(keys.alt ? ['Alt'] : []),
    ...(keys.shift ? ['Shift'] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join('+');
}
