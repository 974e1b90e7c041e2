import { MessageSquarePlus, PanelLeftClose, Search, Settings, TriangleAlert } from 'lucide-react';
import { useAbout } from '../state/about.ts';
import { loadConversations, useConversations } from '../state/conversations.ts';
import { shortcutOf } from '../state/platform.ts';
import { openDialog } from '../state/stage.ts';
import { Button } from '../ui/Button.tsx';
import { FailureBox, IconButton, Keys } from '../ui/index.ts';
import { ConversationList } from './ConversationList.tsx';
import { runCommand } from './commands.ts';

function Unreadable({ count }: { count: number }) {
  const directory = useAbout((state) => state.about?.dataDirectory);
  return (
    <div className="mx-1 mt-2 flex items-start gap-2 rounded-md bg-warn-soft px-2 py-1.5 text-sm text-warn">
      <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
      <p>
        {count === 1
          ? 'One conversation is stored but cannot be read.'
          : `${count} conversations are stored but cannot be read.`}{' '}
        Nothing of them was deleted{directory === undefined ? '.' : `; they are in ${directory}.`}
      </p>
    </div>
  );
}

/** The window's navigation: a new conversation, the conversations there are, settings. */
export function Sidebar() {
  const status = useConversations((state) => state.status);
  const failure = useConversations((state) => state.failure);
  const unreadable = useConversations((state) => state.unreadable);
  return (
    <nav aria-label="Main" className="flex h-full min-h-0 flex-col bg-bg p-2.5">
      <div className="flex items-center gap-1">
        <Button
          className="flex-1 justify-start px-2.5 font-medium"
          onClick={() => openDialog({ kind: 'new-conversation' })}
        >
          <MessageSquarePlus size={16} aria-hidden="true" />
          <span className="min-w-0 flex-1 truncate text-left">New conversation</span>
          <Keys keys={shortcutOf('new-conversation') ?? ''} />
        </Button>
        <IconButton
          label="Hide the sidebar"
          shortcut={shortcutOf('toggle-sidebar')}
          icon={<PanelLeftClose size={16} />}
          onClick={() => runCommand('toggle-sidebar')}
        />
      </div>
      <NavButton
        label="Search"
        icon={<Search size={15} aria-hidden="true" />}
        shortcut={shortcutOf('command-palette')}
        onClick={() => openDialog({ kind: 'palette' })}
        className="mt-2"
      />
      <div className="mt-2 -mr-1.5 min-h-0 flex-1 overflow-y-auto pr-1.5">
        {status === 'failed' && failure !== null && (
          <FailureBox
            sentence={failure.message}
            hint={failure.hint}
            actions={
              <Button size="small" onClick={() => void loadConversations()}>
                Try again
              </Button>
            }
          />
        )}
        <ConversationList />
        {unreadable > 0 && <Unreadable count={unreadable} />}
      </div>
      <NavButton
        label="Settings"
        icon={<Settings size={15} aria-hidden="true" />}
        shortcut={shortcutOf('settings')}
        onClick={() => openDialog({ kind: 'settings' })}
        className="mt-1"
      />
    </nav>
  );
}

function NavButton({
  label,
  icon,
  shortcut,
  onClick,
  className = '',
}: {
  label: string;
  icon: React.ReactNode;
  shortcut: string | undefined;
  onClick: () => void;
  className?: string;
}) {
  return (
    <Button look="quiet" onClick={onClick} className={`w-full justify-start px-2.5 ${className}`}>
      {icon}
      <span className="flex-1 text-left">{label}</span>
      {shortcut !== undefined && <Keys keys={shortcut} />}
    </Button>
  );
}
