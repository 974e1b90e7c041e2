import { create } from 'zustand';
import type { Attachment } from '../../src-shared/attachments.ts';
import type { ConversationId, SeatId, TurnId } from '../../src-shared/ids.ts';

export type SettingsSection = 'general' | 'agents' | 'commands';

export type OpenDialog =
  | { readonly kind: 'new-conversation' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'settings'; readonly section?: SettingsSection }
  | { readonly kind: 'image'; readonly attachment: Attachment }
  | { readonly kind: 'delete'; readonly conversationId: ConversationId };

interface Stage {
  /** What is on top of the window. */
  dialog: OpenDialog | null;
  /** The title of the open conversation is being edited. */
  renaming: boolean;
  /** The find bar is open. */
  finding: boolean;
  /** The queued message that is being edited. */
  editing: TurnId | null;
  /** The seat whose settings are open. */
  seatSettings: SeatId | null;
}

/** What is open for the moment; nothing of it is remembered. */
export const useStage = create<Stage>()(() => ({
  dialog: null,
  renaming: false,
  finding: false,
  editing: null,
  seatSettings: null,
}));

export function openDialog(dialog: OpenDialog): void {
  useStage.setState({ dialog });
}

export function closeDialog(): void {
  useStage.setState({ dialog: null });
}

export function openSeatSettings(seatId: SeatId): void {
  useStage.setState({ seatSettings: seatId });
}
