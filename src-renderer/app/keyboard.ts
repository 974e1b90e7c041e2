import { useStage } from '../state/stage.ts';
import { runCommand } from './commands.ts';
import { commandOf, seatPositionOf } from './shortcuts.ts';

/** The element that Ctrl/Cmd+1…9 focuses carries this attribute with its seat's position. */
export const SEAT_POSITION_ATTRIBUTE = 'data-seat-position';

function focusSeat(position: number): boolean {
  const element = document.querySelector(`[${SEAT_POSITION_ATTRIBUTE}="${position}"]`);
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.keyCode === IME_KEY_CODE) return;
  const command = commandOf(event);
  // A dialog has the keyboard to itself; only the palette's own key closes what it opened.
  if (useStage.getState().dialog !== null) {
    if (command === 'command-palette' && useStage.getState().dialog?.kind === 'palette') {
      useStage.setState({ dialog: null });
      event.preventDefault();
    }
    return;
  }
  const position = seatPositionOf(event);
  if (position !== null ? focusSeat(position) : command !== null && runCommand(command)) event.preventDefault();
}

/** What browsers report as `keyCode` for keys that an input method consumes, some of them without `isComposing`. */
export const IME_KEY_CODE = 229;

/** Listens to the shortcuts of the whole window. */
export function startKeyboard(): void {
  window.addEventListener('keydown', onKeyDown);
}
