import { Copy, PanelLeft, PanelRight, Pencil } from 'lucide-react';
import { useState } from 'react';
import type { ConversationSummary } from '../../src-shared/conversations.ts';
import { MAX_TITLE_LENGTH } from '../../src-shared/limits.ts';
import { useShortPath } from '../state/about.ts';
import { copyText, renameConversation } from '../state/intents.ts';
import { togglePane } from '../state/panes.ts';
import { shortcutOf } from '../state/platform.ts';
import { useStage } from '../state/stage.ts';
import { ContextMenu, IconButton } from '../ui/index.ts';
import { SeatStrip } from './SeatStrip.tsx';

/** What stands in for a title until the first message gives one. */
export const UNTITLED = 'Untitled';

export interface PanesShown {
  sidebar: boolean;
  review: boolean;
}

/** The conversation's title, place and table. */
export function Header({ conversation, shown }: { conversation: ConversationSummary; shown: PanesShown }) {
  const isRenaming = useStage((state) => state.renaming);
  const path = useShortPath(conversation.cwd);
  return (
    <header className="flex items-start gap-3 border-b border-line px-4 py-2">
      {!shown.sidebar && <ShowSidebar />}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="group flex min-w-0 flex-1 basis-56 flex-wrap items-baseline gap-x-2.5">
          {isRenaming ? <TitleEditor conversation={conversation} /> : <Title conversation={conversation} />}
          <ContextMenu
            entries={[
              { label: 'Copy path', icon: <Copy size={14} />, onSelect: () => void copyText(conversation.cwd) },
            ]}
          >
            <span title={conversation.cwd} className="machine min-w-0 truncate text-ink-3">
              {path}
            </span>
          </ContextMenu>
          {!isRenaming && (
            <IconButton
              label="Rename"
              shortcut={shortcutOf('rename-conversation')}
              icon={<Pencil size={13} />}
              onClick={startRenaming}
              className="size-6 self-center opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
            />
          )}
        </div>
        <SeatStrip />
      </div>
      <IconButton
        label={shown.review ? 'Hide the review' : 'Show the review'}
        shortcut={shortcutOf('toggle-review')}
        icon={<PanelRight size={16} />}
        className={shown.review ? 'bg-accent-soft text-accent' : ''}
        onClick={() => togglePane('review')}
      />
    </header>
  );
}

export function ShowSidebar() {
  return (
    <IconButton
      label="Show the sidebar"
      shortcut={shortcutOf('toggle-sidebar')}
      icon={<PanelLeft size={16} />}
      onClick={() => togglePane('sidebar', true)}
    />
  );
}

function Title({ conversation }: { conversation: ConversationSummary }) {
  const title = conversation.title === '' ? UNTITLED : conversation.title;
  return (
    <h1 title={title} onDoubleClick={startRenaming} className="max-w-full truncate text-lg font-semibold">
      {title}
    </h1>
  );
}

function startRenaming(): void {
  useStage.setState({ renaming: true });
}

function stopRenaming(): void {
  useStage.setState({ renaming: false });
}

function TitleEditor({ conversation }: { conversation: ConversationSummary }) {
  const [title, setTitle] = useState(conversation.title);

  function save(): void {
    // Leaving the field after Esc or Enter must not save again.
    if (!useStage.getState().renaming) return;
    stopRenaming();
    const wanted = title.trim();
    if (wanted !== '' && wanted !== conversation.title) void renameConversation(conversation.id, wanted);
  }

  return (
    <input
      ref={(element) => {
        if (element !== null && document.activeElement !== element) {
          element.focus();
          element.select();
        }
      }}
      type="text"
      aria-label="Title"
      maxLength={MAX_TITLE_LENGTH}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') save();
        else if (event.key === 'Escape') stopRenaming();
        else return;
        event.preventDefault();
      }}
      className="min-h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-raised px-2 text-lg font-semibold"
    />
  );
}
