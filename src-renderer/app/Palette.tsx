import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type CommandId, commandId } from '../../src-shared/api.ts';
import { commandTexts } from '../../src-shared/commands.ts';
import { UNTITLED } from '../conversation/index.tsx';
import { shortPath, useAbout } from '../state/about.ts';
import { useConversations } from '../state/conversations.ts';
import { focusComposer } from '../state/handles.ts';
import { selectConversation } from '../state/intents.ts';
import { shortcutOf } from '../state/platform.ts';
import { closeDialog } from '../state/stage.ts';
import { Keys } from '../ui/index.ts';
import { isAvailable, runCommand } from './commands.ts';

const ITEM =
  'flex min-h-8 items-center gap-3 rounded-md px-2.5 text-base data-[selected=true]:bg-accent-soft data-[selected=true]:text-ink';

function choose(act: () => void): void {
  closeDialog();
  // After the dialog has given the focus back, so that the command decides where it goes.
  requestAnimationFrame(act);
}

/** Every command and every conversation, by typing a part of its name. */
export function Palette() {
  const order = useConversations((state) => state.order);
  const byId = useConversations((state) => state.byId);
  const home = useAbout((state) => state.about?.homeDirectory);
  const commands = commandId.options.filter((id): id is CommandId => id !== 'command-palette' && isAvailable(id));
  return (
    <Dialog.Root open onOpenChange={closeDialog}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-3rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-pane shadow-floating"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Commands and conversations" loop>
            <Command.Input
              placeholder="Go to a conversation, or run a command"
              className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-ink-2">Nothing is called that.</Command.Empty>
              <Command.Group heading="Commands" className="palette-group">
                {commands.map((id) => (
                  <Command.Item
                    key={id}
                    value={`${commandTexts[id].label} ${id}`}
                    onSelect={() => choose(() => runCommand(id))}
                    className={ITEM}
                  >
                    <span className="flex-1">{commandTexts[id].label}</span>
                    {shortcutOf(id) !== undefined && <Keys keys={shortcutOf(id) ?? ''} />}
                  </Command.Item>
                ))}
              </Command.Group>
              {order.length > 0 && (
                <Command.Group heading="Conversations" className="palette-group">
                  {order.map((id) => {
                    const conversation = byId[id];
                    if (conversation === undefined) return null;
                    return (
                      <Command.Item
                        key={id}
                        value={`${conversation.title} ${conversation.cwd} ${id}`}
                        onSelect={() => choose(() => void selectConversation(id).then(focusComposer))}
                        className={ITEM}
                      >
                        <span className="min-w-0 flex-1 truncate">{conversation.title || UNTITLED}</span>
                        <span className="machine max-w-48 truncate text-ink-2">
                          {shortPath(conversation.cwd, home)}
                        </span>
                      </Command.Item>
                    );
                  })}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
