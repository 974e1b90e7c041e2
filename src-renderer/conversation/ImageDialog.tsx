import { Copy, Download, FolderOpen } from 'lucide-react';
import type { Attachment } from '../../src-shared/attachments.ts';
import { copyText, revealAttachment, saveAttachmentAs } from '../state/intents.ts';
import { closeDialog } from '../state/stage.ts';
import { Button, Dialog } from '../ui/index.ts';
import { attachmentUrl } from './Thumbnail.tsx';

const KIB = 1024;

function sizeText(bytes: number): string {
  return bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}

/** An attachment, as large as the window allows. */
export function ImageDialog({ attachment }: { attachment: Attachment }) {
  const { name, width, height, bytes, mime, path, id } = attachment;
  return (
    <Dialog
      open
      onOpenChange={closeDialog}
      title="Image"
      description={`${name} · ${width} × ${height} px · ${sizeText(bytes)} · ${mime}`}
      width="wide"
      footer={
        <>
          <Button size="small" look="quiet" onClick={() => void copyText(path)}>
            <Copy size={14} aria-hidden="true" />
            Copy path
          </Button>
          <Button size="small" look="quiet" onClick={() => void revealAttachment(id)}>
            <FolderOpen size={14} aria-hidden="true" />
            Reveal in folder
          </Button>
          <Button size="small" onClick={() => void saveAttachmentAs(id)}>
            <Download size={14} aria-hidden="true" />
            Save as…
          </Button>
        </>
      }
    >
      <img
        src={attachmentUrl(attachment)}
        alt={name}
        className="mx-auto max-h-[70vh] max-w-full rounded-lg border border-line bg-code object-contain"
      />
    </Dialog>
  );
}
