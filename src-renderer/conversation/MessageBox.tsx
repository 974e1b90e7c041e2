import { FileText } from 'lucide-react';
import { type ClipboardEvent, useRef, useState } from 'react';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useDraft, useDrafts } from '../state/drafts.ts';
import { offerComposer } from '../state/handles.ts';
import { usePreferences } from '../state/preferences.ts';
import { Button } from '../ui/index.ts';
import { foldedLength, MAX_EDITED_LENGTH } from './draftFold.ts';
import { isSendPress } from './sendKey.ts';

/** How much of a long beginning is shown, in UTF-16 code units. */
const PREVIEW_LENGTH = 300;

const count = new Intl.NumberFormat('en');

/** The text of a draft. A beginning that is too long for a text box is shown as what it is, and sent like the rest. */
export function MessageBox({
  conversationId,
  placeholder,
  onSend,
  onPickImages,
}: {
  conversationId: ConversationId;
  placeholder: string;
  onSend: () => void;
  onPickImages: () => void;
}) {
  const { text } = useDraft(conversationId);
  const sendKey = usePreferences((state) => state.preferences.sendKey);
  const [wanted, setWanted] = useState(0);
  const box = useRef<HTMLTextAreaElement>(null);
  const folded = foldedLength(text, wanted);

  function change(edited: string): void {
    setWanted(folded);
    useDrafts.getState().setText(conversationId, text.slice(0, folded) + edited);
  }

  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>): void {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length <= MAX_EDITED_LENGTH || event.clipboardData.files.length > 0) return;
    // The browser would lay it all out before it could be kept out of the box.
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    change(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
  }

  return (
    <>
      {folded > 0 && (
        <div className="mb-2 rounded-lg border border-line bg-code px-3 py-2">
          <div className="flex items-center gap-2 text-sm text-ink-2">
            <FileText size={14} aria-hidden="true" />
            <span className="flex-1">{count.format(folded)} characters, sent whole before what is written below</span>
            <Button
              size="small"
              onClick={() => {
                useDrafts.getState().setText(conversationId, text.slice(folded));
                box.current?.focus();
              }}
            >
              Take out
            </Button>
          </div>
          <p className="machine mt-1 line-clamp-3 whitespace-pre-wrap wrap-anywhere">{text.slice(0, PREVIEW_LENGTH)}</p>
        </div>
      )}
      <textarea
        ref={(element) => {
          box.current = element;
          if (element === null) return;
          return offerComposer({ focus: () => element.focus(), pickImages: onPickImages });
        }}
        aria-label="Message"
        placeholder={placeholder}
        rows={1}
        value={text.slice(folded)}
        onChange={(event) => change(event.target.value)}
        onPaste={onPaste}
        onBlur={() => useDrafts.getState().flush(conversationId)}
        onKeyDown={(event) => {
          const { isComposing } = event.nativeEvent;
          const { key, keyCode, shiftKey, ctrlKey, metaKey, altKey } = event;
          if (!isSendPress({ key, keyCode, isComposing, shiftKey, ctrlKey, metaKey, altKey }, sendKey)) return;
          event.preventDefault();
          onSend();
        }}
        className="field-sizing-content block max-h-[40vh] min-h-12 w-full resize-none bg-transparent px-1 pb-2 outline-none"
      />
    </>
  );
}
