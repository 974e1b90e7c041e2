import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { type BridgeEvent, bridgeEvents } from '../../src-shared/api.ts';
import type { createAnswering } from './answering.ts';
import { CALL_CHANNEL, EVENTS_CHANNEL } from './channels.ts';
import { createLiveWatches } from './liveWatches.ts';
import { createOutbox } from './outbox.ts';
import { isOwnPage } from './protocols.ts';

export interface Bridge {
  /** Tells the window. While none listens, notices wait for one and all else is dropped. */
  publish(event: BridgeEvent): void;
  /** The window that is listened to and told. */
  attach(window: BrowserWindow): void;
}

/** Binds the contract to the window: one channel each way. */
export function createBridge(answer: ReturnType<typeof createAnswering>): Bridge {
  const watches = createLiveWatches(answer);
  let window: BrowserWindow | null = null;
  /** Whether the page has called since it was loaded: before that it listens to nothing. */
  let listening = false;
  /** Said while nobody listened. All else the page learns from its first snapshot. */
  let unheard: BridgeEvent[] = [];

  const outbox = createOutbox((batch) => {
    if (window !== null && !window.isDestroyed()) window.webContents.send(EVENTS_CHANNEL, batch);
  });

  function startOver(): void {
    listening = false;
    outbox.clear();
    watches.release();
  }

  /** Only the main frame of our own window, and only while it shows our own page. */
  function isTrusted(event: IpcMainInvokeEvent): boolean {
    const frame = event.senderFrame;
    if (window === null || window.isDestroyed() || frame === null) return false;
    return event.sender === window.webContents && frame === window.webContents.mainFrame && isOwnPage(frame.url);
  }

  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown) => {
    if (isTrusted(event)) {
      if (!listening) {
        listening = true;
        for (const notice of unheard) outbox.add(notice);
        unheard = [];
      }
      return watches.answer(name, input);
    }
    const message = 'Only Parley’s own page may call.';
    return { ok: false, error: { code: 'forbidden', message, hint: '' } };
  });

  return {
    publish(event) {
      if (!listening) {
        if (event.name === 'notice') unheard.push(event);
        return;
      }
      const parsed = bridgeEvents[event.name].safeParse(event.payload);
      if (parsed.success) {
        outbox.add(event);
        return;
      }
      // A fault of Parley's own: the window is told that something is missing rather than nothing.
      console.error(`The event ${event.name} was not as agreed: ${parsed.error.message}`);
      outbox.add({
        name: 'notice',
        payload: { level: 'warning', text: 'Something that happened could not be shown. Reload the window to see it.' },
      });
    },
    attach(next) {
      window = next;
      startOver();
      // A page that loads takes a fresh snapshot; what was meant for the one before it would be told twice.
      next.webContents.on('did-start-navigation', (details) => {
        if (details.isMainFrame && !details.isSameDocument) startOver();
      });
      next.on('closed', () => {
        if (window !== next) return;
        window = null;
        startOver();
      });
    },
  };
}
