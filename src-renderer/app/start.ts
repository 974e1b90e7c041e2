import { loadAbout } from '../state/about.ts';
import { loadAgents } from '../state/agents.ts';
import { openConversation } from '../state/conversation.ts';
import { loadConversations, useConversations } from '../state/conversations.ts';
import { useDrafts } from '../state/drafts.ts';
import { startEventBridge } from '../state/events.ts';
import { focusComposer } from '../state/handles.ts';
import { useLayout } from '../state/layout.ts';
import { loadPreferences } from '../state/preferences.ts';
import { runCommand } from './commands.ts';
import { startKeyboard } from './keyboard.ts';
import { refuseStrayDrops } from './strayDrops.ts';
import { followTheme } from './theme.ts';

/** Opens the conversation that was open when the window closed, if it is still there. */
async function reopen(): Promise<void> {
  await loadConversations();
  const { selected } = useLayout.getState();
  const { status, byId } = useConversations.getState();
  if (selected === null) return;
  if (status === 'ready' && byId[selected] === undefined) useLayout.setState({ selected: null });
  else {
    await openConversation(selected);
    focusComposer();
  }
}

/** Starts what lives as long as the window: events first, so that no snapshot is older than what is heard. */
export function startWindow(): void {
  followTheme();
  refuseStrayDrops();
  startKeyboard();
  startEventBridge((command) => runCommand(command));
  window.addEventListener('pagehide', () => useDrafts.getState().flushAll());
  void loadPreferences();
  void loadAbout();
  void reopen();
  void loadAgents(false);
}
