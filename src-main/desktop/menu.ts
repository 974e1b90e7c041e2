import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandId } from '../../src-shared/api.ts';
import { acceleratorOf, commandTexts } from '../../src-shared/commands.ts';

type Choose = (command: CommandId) => void;

/** The application menu: every command with its shortcut, and what the platform expects beside. */
export function menuTemplate(platform: NodeJS.Platform, choose: Choose): MenuItemConstructorOptions[] {
  const item = (command: CommandId): MenuItemConstructorOptions => {
    const { label, keys } = commandTexts[command];
    const accelerator = acceleratorOf(keys);
    return {
      id: command,
      label,
      click: () => choose(command),
      // Shown here and handled by the page, which knows what is on top; handling them twice would undo a toggle.
      ...(accelerator === null ? {} : { accelerator, registerAccelerator: false }),
    };
  };
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('settings');
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
        item('new-conversation'),
        item('command-palette'),
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
        item('find-in-conversation'),
      ],
    },
    {
      label: 'Conversation',
      submenu: [
        item('focus-composer'),
        item('attach-images'),
        item('edit-last-queued'),
        item('stop'),
        separator,
        item('rename-conversation'),
        item('delete-conversation'),
      ],
    },
    {
      label: 'View',
      submenu: [
        item('toggle-sidebar'),
        item('toggle-review'),
        separator,
        item('review-run'),
        item('review-live'),
        item('review-artifacts'),
        item('review-evidence'),
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
