import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type BrowserWindow, dialog, shell } from 'electron';
import { errorText, ParleyError } from '../../src-shared/failure.ts';
import { externalAddress } from './externalAddress.ts';

/** The directory that the operator picks; `null` when the picker was dismissed. */
export async function chooseDirectory(window: BrowserWindow, startIn: string | undefined): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Choose a working directory',
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
    ...(startIn === undefined ? {} : { defaultPath: startIn }),
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Copies a file to where the operator says; `null` when the dialog was dismissed. */
export async function saveAs(window: BrowserWindow, file: string, suggestedName: string): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save as',
    // The name may come from a file that somebody else named.
    defaultPath: path.basename(suggestedName),
    properties: ['showOverwriteConfirmation', 'createDirectory'],
  });
  if (canceled || filePath === '') return null;
  try {
    await copyFile(file, filePath);
  } catch (error) {
    throw new ParleyError(
      'save-failed',
      `${filePath} could not be written: ${errorText(error)}.`,
      'Choose another place.',
    );
  }
  return filePath;
}

/** Shows the address as it really is, and opens it outside only if the operator says so. */
export async function openExternal(window: BrowserWindow, address: string): Promise<boolean> {
  const url = externalAddress(address);
  if (url === null) {
    throw new ParleyError(
      'external-refused',
      'Only https: and mailto: addresses are opened.',
      'Copy the address instead.',
    );
  }
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Open this address outside of Parley?',
    detail: url,
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response !== 1) return false;
  await shell.openExternal(url);
  return true;
}

/** Asks before seats that work are ended. */
export async function confirmQuit(window: BrowserWindow | null, working: number): Promise<boolean> {
  const options = {
    type: 'warning' as const,
    message: working === 1 ? '1 seat is working. End it and quit?' : `${working} seats are working. End them and quit?`,
    detail: 'What they printed so far is kept.',
    buttons: ['Keep working', working === 1 ? 'End it and quit' : 'End them and quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } =
    window === null ? await dialog.showMessageBox(options) : await dialog.showMessageBox(window, options);
  return response === 1;
}
