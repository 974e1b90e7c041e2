import { BrowserWindow, nativeTheme, type Session, screen, type WebContents } from 'electron';
import { MIN_WINDOW_HEIGHT, MIN_WINDOW_WIDTH } from './limits.ts';
import { isOwnPage, PAGE_URL } from './protocols.ts';
import { restoreBounds } from './restoreBounds.ts';
import type { WindowStateStore } from './windowState.ts';

/** The window's ground before the page has painted; the same as the page's own tokens. */
const GROUND = { light: '#f6f5f2', dark: '#171716' };

/** Opens the workbench: a sandboxed page without Node, which goes nowhere and opens nothing. */
export function openWindow(preloadFile: string, session: Session, remembered: WindowStateStore): BrowserWindow {
  const state = remembered.get();
  const displays = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...restoreBounds(state?.bounds, displays),
    minWidth: MIN_WINDOW_WIDTH,
    minHeight: MIN_WINDOW_HEIGHT,
    title: 'Parley',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      session,
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // Chromium would fetch dictionaries from the network.
      spellcheck: process.platform === 'darwin',
    },
  });
  if (state?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  const remember = () => remembered.set({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  window.on('close', remember);
  void window.loadURL(PAGE_URL);
  return window;
}

/** Keeps any contents from leaving Parley's own page: the rule for whatever the application ever creates. */
export function confineContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    // A reload of the page is the one navigation that stays.
    if (!event.isMainFrame || !isOwnPage(event.url) || event.url !== contents.getURL()) event.preventDefault();
  });
  contents.on('did-navigate', (_event, url) => {
    // Electron 33 to 45 ask nobody before they go to about:blank, so that is undone.
    if (url === 'about:blank') void contents.loadURL(PAGE_URL);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
}

/** Refuses every permission, download and device to a session. */
export function confineSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
