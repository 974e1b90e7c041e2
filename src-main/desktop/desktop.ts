import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app, type BrowserWindow, dialog, nativeTheme, session } from 'electron';
import { errorText, ParleyError } from '../../src-shared/failure.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { createAnswering } from './answering.ts';
import { type Bridge, createBridge } from './bridge.ts';
import { offerTextMenu } from './contextMenu.ts';
import type { DesktopEngine } from './engine.ts';
import { createHandlers } from './handlers.ts';
import { systemKeychain } from './keychain.ts';
import { setMenu } from './menu.ts';
import { createNotifications } from './notifications.ts';
import { openPreferences } from './preferences.ts';
import { declareSchemes, serveProtocols } from './protocols.ts';
import { guardQuit } from './quit.ts';
import { openSecrets, type SecretStore } from './secrets.ts';
import { bringToFront, confineContents, confineSession, openWindow } from './window.ts';
import { openWindowState } from './windowState.ts';

export interface DesktopOptions {
  dataDirectory: string;
  /** The built page and its assets. */
  rendererRoot: string;
  preloadFile: string;
  /** Called once, after this instance is known to be the only one on the data directory. */
  openEngine(preferences: () => Preferences, secret: SecretStore['get']): DesktopEngine | Promise<DesktopEngine>;
}

/**
 * Runs the workbench. Must be called before Electron is ready, and not be awaited by the entry module: Electron gets
 * ready only after that has finished.
 */
export async function runDesktop(options: DesktopOptions): Promise<void> {
  app.setName('Parley');
  mkdirSync(options.dataDirectory, { recursive: true });
  app.setPath('userData', path.join(options.dataDirectory, 'electron'));
  // The lock lies in userData, so there is one window to each data directory.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  declareSchemes();
  // As root Chromium only runs without its OS sandbox, and the two switches contradict each other.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => confineContents(contents));

  const { store: preferences, notice } = openPreferences(options.dataDirectory, Date.now());
  const windowState = openWindowState(options.dataDirectory);
  const secrets = openSecrets(options.dataDirectory, systemKeychain());
  // Opened while Chromium starts.
  const engine = Promise.resolve().then(() => options.openEngine(() => preferences.get(), secrets.get));
  // Its failure is told below; until then it must not count as unhandled.
  engine.catch(() => {});

  let window: BrowserWindow | null = null;
  const currentWindow = () => (window === null || window.isDestroyed() ? null : window);
  const handlers = createHandlers({ engine, preferences, secrets, bridge: () => bridge, currentWindow });
  const bridge: Bridge = createBridge(createAnswering(engine, handlers));
  if (notice !== null) bridge.publish({ name: 'notice', payload: { level: 'warning', text: notice } });

  await app.whenReady();
  nativeTheme.themeSource = preferences.get().theme;
  confineSession(session.defaultSession);
  serveProtocols(session.defaultSession, options.rendererRoot, engine);
  setMenu((command) => {
    show();
    bridge.publish({ name: 'command', payload: { command } });
  });

  let guard: ((window: BrowserWindow) => void) | null = null;
  function show(): void {
    const shown = currentWindow();
    if (shown !== null) {
      bringToFront(shown);
      return;
    }
    window = openWindow(options.preloadFile, session.defaultSession, windowState);
    bridge.attach(window);
    offerTextMenu(window);
    reviveAfterCrash(window);
    guard?.(window);
  }
  app.on('second-instance', show);
  app.on('activate', show);
  show();

  try {
    const opened = await engine;
    const notify = createNotifications(currentWindow);
    opened.on((event) => {
      bridge.publish(event);
      notify(event);
    });
    guard = guardQuit(opened, currentWindow);
    const shown = currentWindow();
    if (shown === null) app.quit();
    else guard(shown);
  } catch (error) {
    const title = 'Parley cannot open its data';
    const hint = error instanceof ParleyError ? error.hint : '';
    const text = [errorText(error), hint, `Data directory: ${options.dataDirectory}`].filter((line) => line !== '');
    // To the terminal as well: the box waits for a click that nobody may be there to make.
    console.error([title, ...text].join('\n'));
    dialog.showErrorBox(title, text.join('\n\n'));
    app.exit(1);
  }
}

/** A page whose process died is loaded again; what it showed is in the store. */
function reviveAfterCrash(window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    console.error(`The window's process is gone (${reason}); loading the page again.`);
    window.webContents.reload();
  });
}
