import { never } from '../../src-shared/failure.ts';
import { ImageDialog } from '../conversation/index.tsx';
import { SettingsDialog } from '../settings/index.tsx';
import { useStage } from '../state/stage.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { NewConversation } from './NewConversation.tsx';
import { Palette } from './Palette.tsx';

/** The dialog on top of the window, if any. */
export function Dialogs() {
  const dialog = useStage((state) => state.dialog);
  if (dialog === null) return null;
  switch (dialog.kind) {
    case 'new-conversation':
      return <NewConversation />;
    case 'palette':
      return <Palette />;
    case 'settings':
      return <SettingsDialog section={dialog.section} />;
    case 'image':
      return <ImageDialog attachment={dialog.attachment} />;
    case 'delete':
      return <DeleteDialog conversationId={dialog.conversationId} />;
    default:
      return never(dialog);
  }
}
