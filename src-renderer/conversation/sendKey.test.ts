import { expect, test } from 'vitest';
import { type EnterPress, IME_KEY_CODE, isSendPress } from './sendKey.ts';

const enter = (more: Partial<EnterPress> = {}): EnterPress => ({
  key: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('Enter sends and Shift+Enter breaks the line', () => {
  expect(isSendPress(enter(), 'enter')).toBe(true);
  expect(isSendPress(enter({ shiftKey: true }), 'enter')).toBe(false);
  expect(isSendPress(enter({ key: 'a' }), 'enter')).toBe(false);
});

test('with the other setting Enter breaks the line and Ctrl or Command with it sends', () => {
  expect(isSendPress(enter(), 'mod-enter')).toBe(false);
  expect(isSendPress(enter({ ctrlKey: true }), 'mod-enter')).toBe(true);
  expect(isSendPress(enter({ metaKey: true }), 'mod-enter')).toBe(true);
  expect(isSendPress(enter({ ctrlKey: true, shiftKey: true }), 'mod-enter')).toBe(false);
});

test('nothing is sent while an input method composes, however the browser says so', () => {
  for (const sendKey of ['enter', 'mod-enter'] as const) {
    expect(isSendPress(enter({ isComposing: true, ctrlKey: true }), sendKey)).toBe(false);
    expect(isSendPress(enter({ keyCode: IME_KEY_CODE, ctrlKey: true }), sendKey)).toBe(false);
  }
});
