import { CircleAlert, Copy, Pencil, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { memo, useId } from 'react';
import type { ConversationSummary } from '../../src-shared/conversations.ts';
import type { ConversationId } from '../../src-shared/ids.ts';
import { UNTITLED } from '../conversation/index.tsx';
import { useShortPath } from '../state/about.ts';
import { useAgents } from '../state/agents.ts';
import { useNow } from '../state/clock.ts';
import { useConversation } from '../state/conversation.ts';
import { useConversations } from '../state/conversations.ts';
import { focusComposer } from '../state/handles.ts';
import { copyText, selectConversation } from '../state/intents.ts';
import { shortcutOf } from '../state/platform.ts';
import { openDialog, useStage } from '../state/stage.ts';
import { ContextMenu, classes, When, WorkingDot } from '../ui/index.ts';

/** Conversations of one directory stand together; directories in the order of their newest conversation. */
export function byDirectory(
  order: readonly ConversationId[],
  cwdOf: (id: ConversationId) => string,
): { id: ConversationId; opensGroup: boolean }[] {
  const groups = new Map<string, ConversationId[]>();
  for (const id of order) {
    const group = groups.get(cwdOf(id));
    if (group === undefined) groups.set(cwdOf(id), [id]);
    else group.push(id);
  }
  return [...groups.values()].flatMap((ids) => ids.map((id, index) => ({ id, opensGroup: index === 0 })));
}

/** Arrow keys, Home and End move along the list. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.findIndex((button) => button.contains(document.activeElement));
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const button = target === undefined ? undefined : buttons[target];
  if (index === -1 || button === undefined) return;
  event.preventDefault();
  button.focus();
}

export function ConversationList() {
  const order = useConversations((state) => state.order);
  const byId = useConversations((state) => state.byId);
  const isReady = useConversations((state) => state.status === 'ready');
  const selected = useConversation((state) => state.id);
  const rows = byDirectory(order, (id) => byId[id]?.cwd ?? '');
  const reachable = selected !== null && byId[selected] !== undefined ? selected : rows[0]?.id;
  return (
    <>
      <ul aria-label="Conversations" onKeyDown={moveFocus}>
        {rows.map(({ id, opensGroup }) => {
          const conversation = byId[id];
          if (conversation === undefined) return null;
          return (
            <Row
              key={id}
              conversation={conversation}
              opensGroup={opensGroup}
              isSelected={id === selected}
              isReachable={id === reachable}
            />
          );
        })}
      </ul>
      {isReady && rows.length === 0 && <p className="px-2.5 py-2 text-sm text-ink-3">No conversations yet.</p>}
    </>
  );
}

const Row = memo(function Row({
  conversation,
  opensGroup,
  isSelected,
  isReachable,
}: {
  conversation: ConversationSummary;
  opensGroup: boolean;
  isSelected: boolean;
  isReachable: boolean;
}) {
  const path = useShortPath(conversation.cwd);
  const stateId = useId();
  const title = conversation.title === '' ? UNTITLED : conversation.title;
  return (
    <li className="[contain-intrinsic-size:auto_3rem] [content-visibility:auto]">
      {opensGroup && (
        <div
          title={conversation.cwd}
          className="truncate px-2.5 pt-3 pb-1 text-2xs font-semibold tracking-wide text-ink-3 [direction:rtl] text-left"
        >
          <bdi>{path}</bdi>
        </div>
      )}
      <ContextMenu
        entries={[
          {
            label: 'Rename',
            icon: <Pencil size={14} />,
            shortcut: shortcutOf('rename-conversation'),
            onSelect: () => {
              void selectConversation(conversation.id).then(() => useStage.setState({ renaming: true }));
            },
          },
          { label: 'Copy path', icon: <Copy size={14} />, onSelect: () => void copyText(conversation.cwd) },
          {
            label: 'Delete',
            icon: <Trash2 size={14} />,
            look: 'danger',
            onSelect: () => openDialog({ kind: 'delete', conversationId: conversation.id }),
          },
        ]}
      >
        <div
          className={classes(
            'relative rounded-md px-2.5 py-1.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
            isSelected ? 'bg-raised shadow-raised' : 'hover:bg-code',
          )}
        >
          {/* Named by the title alone, and as large as the whole row. */}
          <button
            type="button"
            title={title}
            aria-current={isSelected ? 'page' : undefined}
            aria-describedby={stateId}
            tabIndex={isReachable ? 0 : -1}
            onClick={() => void selectConversation(conversation.id).then(focusComposer)}
            className="block w-full truncate text-left font-medium outline-none after:absolute after:inset-0"
          >
            {title}
          </button>
          <div id={stateId}>
            <State conversation={conversation} />
          </div>
        </div>
      </ContextMenu>
    </li>
  );
});

function State({ conversation }: { conversation: ConversationSummary }) {
  const now = useNow('minute');
  const who = useAgents((state) => {
    const [first, ...more] = conversation.agents;
    if (more.length > 0) return `${conversation.agents.length} seats`;
    return state.agents.find((agent) => agent.id === first)?.label ?? first ?? 'Nobody';
  });
  const line = 'flex items-center gap-1.5 truncate text-xs';
  const calm = classes(line, 'text-ink-3');
  if (conversation.running > 0) {
    const text =
      conversation.agents.length === 1
        ? `${who} is working`
        : `${conversation.running} of ${conversation.agents.length} working`;
    return (
      <span className={calm}>
        <WorkingDot />
        {text}
        {conversation.queued > 0 && ` · ${conversation.queued} queued`}
      </span>
    );
  }
  if (conversation.attention !== 'none') {
    return (
      <span className={classes(line, 'text-bad')}>
        <CircleAlert size={12} aria-hidden="true" className="shrink-0" />
        {conversation.attention === 'failed' ? 'Failed' : 'Interrupted'}
        {conversation.queued > 0 && ` · ${conversation.queued} waiting`}
      </span>
    );
  }
  return (
    <span className={calm}>
      {who} ·{' '}
      {conversation.queued > 0 ? `${conversation.queued} waiting` : <When at={conversation.updatedAt} now={now} />}
    </span>
  );
}
