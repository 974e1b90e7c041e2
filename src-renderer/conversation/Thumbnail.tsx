import { Copy, Download, FolderOpen } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Attachment } from '../../src-shared/attachments.ts';
import { copyText, revealAttachment, saveAttachmentAs } from '../state/intents.ts';
import { openDialog } from '../state/stage.ts';
import { ContextMenu } from '../ui/index.ts';

/** The address under which the desktop serves a stored image. */
export function attachmentUrl(attachment: Attachment): string {
  return `attachment://${attachment.id}`;
}

export function AttachmentMenu({ attachment, children }: { attachment: Attachment; children: ReactElement }) {
  return (
    <ContextMenu
      entries={[
        { label: 'Copy path', icon: <Copy size={14} />, onSelect: () => void copyText(attachment.path) },
        { label: 'Save as…', icon: <Download size={14} />, onSelect: () => void saveAttachmentAs(attachment.id) },
        {
          label: 'Reveal in folder',
          icon: <FolderOpen size={14} />,
          onSelect: () => void revealAttachment(attachment.id),
        },
      ]}
    >
      {children}
    </ContextMenu>
  );
}

/** A small picture that opens the whole one. */
export function Thumbnail({ attachment, label = attachment.name }: { attachment: Attachment; label?: string }) {
  return (
    <AttachmentMenu attachment={attachment}>
      <button
        type="button"
        aria-label={label}
        title={`${attachment.name} · ${attachment.width} × ${attachment.height} px`}
        onClick={() => openDialog({ kind: 'image', attachment })}
        className="block w-28 overflow-hidden rounded-lg border border-line-strong bg-raised text-left text-2xs text-ink-2 hover:border-accent"
      >
        <img
          src={attachmentUrl(attachment)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="h-16 w-full bg-code object-cover"
        />
        <span className="block truncate px-1.5 py-0.5">{attachment.name}</span>
      </button>
    </AttachmentMenu>
  );
}
