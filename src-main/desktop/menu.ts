import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandId } from '../../src-shared/api.ts';

type Choose = (command: CommandId) => void;

/** The application menu: every command with its shortcut, and what the platform expects beside. */
export function menuTemplate(platform: NodeJS.Platform, choose: Choose): MenuItemConstructorOptions[] {
  const item = (label: string, command: CommandId, accelerator?: string): MenuItemConstructorOptions => ({
    id: command,
    label,
    click: () => choose(command),
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('Settings…', 'settings', 'CmdOrCtrl+,');
  const isMac = platform === 'darwin';

  return [
    ...(isMac
      ? [
          {
            role: 'appMenu' as const,
            submenu: [
              { role: 'about' as const },
              separator,
              settings,
              separator,
              { role: 'services' as const },
              separator,
              { role: 'hide' as const },
              { role: 'hideOthers' as const },
              { role: 'unhide' as const },
              separator,
              { role: 'quit' as const },
            ],
          },
        ]
      : []),
    {
      label: 'File',
      submenu: [
        item('New Conversation…', 'new-conversation', 'CmdOrCtrl+N'),
        item('Command Palette…', 'command-palette', 'CmdOrCtrl+K'),
        ...(isMac
          ? [separator, { role: 'close' as const }]
          : [separator, settings, separator, { role: 'quit' as const }]),
      ],
    },
    {
      label: 'Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'pasteAndMatchStyle' },
        { role: 'selectAll' },
        separator,
        item('Find in Conversation', 'find-in-conversation', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: 'Conversation',
      submenu: [
        item('Write a Message', 'focus-composer'),
        item('Attach Images…', 'attach-images'),
        item('Edit the Last Queued Message', 'edit-last-queued', 'Alt+Up'),
        item('Stop', 'stop'),
        separator,
        item('Rename…', 'rename-conversation'),
        item('Delete…', 'delete-conversation'),
      ],
    },
    {
      label: 'View',
      submenu: [
        item('Sidebar', 'toggle-sidebar', 'CmdOrCtrl+B'),
        item('Review', 'toggle-review', 'CmdOrCtrl+Alt+B'),
        separator,
        item('Run', 'review-run'),
        item('Live Output', 'review-live'),
        item('Artifacts', 'review-artifacts'),
        item('Evidence', 'review-evidence'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        separator,
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}

export function setMenu(choose: Choose): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, choose)));
}
