import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

/** What the platform offers on a right-click in text. Where the page has a menu of its own, Electron does not ask. */
export function offerTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, about) => {
    const can = about.editFlags;
    const template: MenuItemConstructorOptions[] = about.isEditable
      ? [
          { role: 'cut', enabled: can.canCut },
          { role: 'copy', enabled: can.canCopy },
          { role: 'paste', enabled: can.canPaste },
          { type: 'separator' },
          { role: 'selectAll', enabled: can.canSelectAll },
        ]
      : about.selectionText === ''
        ? []
        : [{ role: 'copy', enabled: can.canCopy }];
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
}
