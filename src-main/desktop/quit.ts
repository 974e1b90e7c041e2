import { app, type BrowserWindow } from 'electron';
import { errorText } from '../../src-shared/failure.ts';
import { confirmQuit } from './dialogs.ts';
import type { DesktopEngine } from './engine.ts';
import { QUIT_TIMEOUT_MS } from './limits.ts';

/**
 * Quitting asks while seats work, then ends them and waits until they are gone. Closing the last window is quitting,
 * except on macOS.
 */
export function guardQuit(
  engine: DesktopEngine,
  currentWindow: () => BrowserWindow | null,
): (window: BrowserWindow) => void {
  let state: 'open' | 'asking' | 'closing' | 'closed' = 'open';

  async function quit(): Promise<void> {
    state = 'asking';
    const working = engine.busy();
    if (working > 0 && !(await confirmQuit(currentWindow(), working))) {
      state = 'open';
      return;
    }
    state = 'closing';
    const limit = new Promise<void>((resolve) => {
      // Left running on purpose: the process exits right after whichever comes first.
      setTimeout(resolve, QUIT_TIMEOUT_MS);
    });
    // What cannot be ended now is found and ended by the next start.
    await Promise.race([letPageStore(currentWindow()).then(() => engine.close()), limit]).catch((error: unknown) =>
      console.error(errorText(error)),
    );
    state = 'closed';
    app.quit();
  }

  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'open') void quit();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  return (window) => {
    window.on('close', (event) => {
      // The window stays while the question is open, and until everything has ended.
      if (state === 'closed' || process.platform === 'darwin') return;
      event.preventDefault();
      app.quit();
    });
  };
}

/**
 * The page stores an unsent draft when it goes away. Here the engine goes first, so the page is told before, and its
 * calls are on their way when it answers.
 */
async function letPageStore(window: BrowserWindow | null): Promise<void> {
  if (window === null || window.isDestroyed()) return;
  const tell = "dispatchEvent(new PageTransitionEvent('pagehide')); new Promise((done) => setTimeout(done))";
  await window.webContents.executeJavaScript(tell).catch((error: unknown) => {
    // A page that has crashed has nothing to store any more.
    console.error(errorText(error));
  });
}
