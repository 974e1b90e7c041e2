import { type BrowserWindow, Notification } from 'electron';
import type { EngineEvent } from '../../src-shared/api.ts';
import { createFinishedWork } from './finishedWork.ts';
import { bringToFront } from './window.ts';

/** Tells the operator of finished work while the window is not in front; a click brings it there. */
export function createNotifications(currentWindow: () => BrowserWindow | null): (event: EngineEvent) => void {
  const finishedWork = createFinishedWork();
  // A notification that nothing refers to can be collected before it is clicked.
  const shown = new Set<Notification>();

  return (event) => {
    const finished = finishedWork(event);
    if (finished === null) return;
    const window = currentWindow();
    if (window === null || window.isFocused() || !Notification.isSupported()) return;
    const notification = new Notification({ title: finished.title, body: finished.body });
    shown.add(notification);
    notification.on('click', () => {
      const target = currentWindow();
      if (target !== null) bringToFront(target);
      shown.delete(notification);
    });
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };
}
