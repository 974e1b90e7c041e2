/** What browsers report as `keyCode` for keys that an input method consumes, some of them without `isComposing`. */
export const IME_KEY_CODE = 229;

export interface EnterPress {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Whether a key press in the composer sends the message. Never while an input method composes. */
export function isSendPress(press: EnterPress, sendKey: 'enter' | 'mod-enter'): boolean {
  if (press.isComposing || press.keyCode === IME_KEY_CODE || press.key !== 'Enter') return false;
  const isMod = press.ctrlKey || press.metaKey;
  if (press.shiftKey || press.altKey) return false;
  return sendKey === 'mod-enter' ? isMod : true;
}
