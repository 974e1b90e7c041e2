import { type BrowserWindow, clipboard, nativeTheme, shell } from 'electron';
import { ParleyError } from '../../src-shared/failure.ts';
import type { AttachmentId, RunId } from '../../src-shared/ids.ts';
import type { DesktopHandlers } from './answering.ts';
import type { Bridge } from './bridge.ts';
import { chooseDirectory, openExternal, saveAs } from './dialogs.ts';
import type { DesktopEngine } from './engine.ts';
import type { PreferenceStore } from './preferences.ts';
import { droppedSecrets, type SecretStore } from './secrets.ts';

interface Parts {
  engine: Promise<DesktopEngine>;
  preferences: PreferenceStore;
  secrets: SecretStore;
  bridge: () => Bridge;
  currentWindow: () => BrowserWindow | null;
}

/** The calls that only the desktop can answer. */
export function createHandlers({ engine, preferences, secrets, bridge, currentWindow }: Parts): DesktopHandlers {
  function shownWindow(): BrowserWindow {
    const window = currentWindow();
    if (window === null) throw new ParleyError('no-window', 'The window is gone.');
    return window;
  }

  async function storedAttachment(id: AttachmentId) {
    const file = (await engine).attachmentFile(id);
    if (file === null) throw new ParleyError('not-found', 'This image is no longer stored.');
    return file;
  }

  async function artifactPath(run: RunId, name: string): Promise<string> {
    const file = (await engine).artifactFile(run, name);
    if (file === null) throw new ParleyError('not-found', 'This artifact is no longer there.');
    return file;
  }

  return {
    async chooseDirectory({ startIn }) {
      return { directory: await chooseDirectory(shownWindow(), startIn) };
    },
    getPreferences: () => ({ preferences: preferences.get() }),
    async setPreferences({ preferences: change }) {
      const before = preferences.get();
      const changed = preferences.change(change);
      nativeTheme.themeSource = changed.theme;
      bridge().publish({ name: 'preferences', payload: { preferences: changed } });
      for (const { scope, name } of droppedSecrets(before, changed)) await secrets.set(scope, name, null);
      return { preferences: changed };
    },
    secretStorage: () => secrets.storage(),
    async setSecret({ scope, name, value }) {
      await secrets.set(scope, name, value);
      return {};
    },
    async listSecrets({ scope }) {
      return { names: await secrets.names(scope) };
    },
    async openExternal({ url }) {
      return { opened: await openExternal(shownWindow(), url) };
    },
    copyText({ text }) {
      clipboard.writeText(text);
      return {};
    },
    async revealAttachment(input) {
      shell.showItemInFolder((await storedAttachment(input.attachmentId)).path);
      return {};
    },
    async revealArtifact({ run, name }) {
      shell.showItemInFolder(await artifactPath(run, name));
      return {};
    },
    async saveAttachmentAs(input) {
      const { path, name } = await storedAttachment(input.attachmentId);
      return { path: await saveAs(shownWindow(), path, name) };
    },
    async saveArtifactAs({ run, name }) {
      return { path: await saveAs(shownWindow(), await artifactPath(run, name), name) };
    },
  };
}
