import { describe, expect, test } from 'vitest';
import { commandId } from '../../src-shared/api.ts';
import { commandTexts } from '../../src-shared/commands.ts';
import { commandOf, type KeyPress, seatPositionOf, shortcutText } from './shortcuts.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...more,
});

describe.each([
  { isMac: true, mod: { metaKey: true } },
  { isMac: false, mod: { ctrlKey: true } },
])('shortcuts where isMac is $isMac', ({ isMac, mod }) => {
  test('each command is reached by its own keys, and no two share them', () => {
    for (const id of commandId.options) {
      const { keys } = commandTexts[id];
      if (keys === null) continue;
      const event = press(keys.key, {
        ...(keys.mod ? mod : {}),
        altKey: keys.alt === true,
        shiftKey: keys.shift === true,
      });
      expect(commandOf(event, isMac)).toBe(id);
    }
  });

  test('a letter alone, or with more keys than asked for, means nothing', () => {
    expect(commandOf(press('n'), isMac)).toBeNull();
    expect(commandOf(press('n', { ...mod, shiftKey: true }), isMac)).toBeNull();
    expect(commandOf(press('n', { ctrlKey: true, metaKey: true }), isMac)).toBeNull();
  });

  test('nothing is a shortcut while an input method composes', () => {
    expect(commandOf(press('n', { ...mod, isComposing: true }), isMac)).toBeNull();
    expect(seatPositionOf(press('1', { ...mod, isComposing: true }), isMac)).toBeNull();
  });

  test('digits mean seats', () => {
    expect(seatPositionOf(press('1', mod), isMac)).toBe(0);
    expect(seatPositionOf(press('9', mod), isMac)).toBe(8);
    expect(seatPositionOf(press('0', mod), isMac)).toBeNull();
    expect(seatPositionOf(press('1'), isMac)).toBeNull();
  });
});

test('with Alt on macOS the key is known by its place', () => {
  expect(commandOf(press('∫', { code: 'KeyB', metaKey: true, altKey: true }), true)).toBe('toggle-review');
});

test('shortcuts are written as the platform writes them', () => {
  const { keys } = commandTexts['toggle-review'];
  expect(shortcutText(keys, true)).toBe('⌥⌘B');
  expect(shortcutText(keys, false)).toBe('Ctrl+Alt+B');
  expect(shortcutText(commandTexts['edit-last-queued'].keys, false)).toBe('Alt+↑');
});
