import { IME_KEY_CODE, SEAT_POSITION_ATTRIBUTE } from '../conversation/index.tsx';
import { useLayout } from '../state/layout.ts';
import { IS_MAC } from '../state/platform.ts';
import { commandOf, seatPositionOf } from '../state/shortcuts.ts';
import { useStage } from '../state/stage.ts';
import { runCommand } from './commands.ts';

function focusSeat(position: number): boolean {
  const element = document.querySelector(`[${SEAT_POSITION_ATTRIBUTE}="${position}"]`);
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** Closes what is open over or beside the conversation; stops nothing that runs. */
function closeTop(): boolean {
  if (useLayout.getState().drawer !== 'none') useLayout.setState({ drawer: 'none' });
  else if (useStage.getState().finding) useStage.setState({ finding: false });
  else return false;
  return true;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.keyCode === IME_KEY_CODE) return;
  const command = commandOf(event, IS_MAC);
  // A dialog has the keyboard to itself; only the palette's own key closes what it opened.
  if (useStage.getState().dialog !== null) {
    if (command === 'command-palette' && useStage.getState().dialog?.kind === 'palette') {
      useStage.setState({ dialog: null });
      event.preventDefault();
    }
    return;
  }
  if (event.key === 'Escape' && !event.isComposing && closeTop()) {
    event.preventDefault();
    return;
  }
  const position = seatPositionOf(event, IS_MAC);
  if (position !== null ? focusSeat(position) : command !== null && runCommand(command)) event.preventDefault();
}

/** Listens to the shortcuts of the whole window. */
export function startKeyboard(): void {
  window.addEventListener('keydown', onKeyDown);
}
