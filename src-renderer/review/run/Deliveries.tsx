import type { Attachment } from '../../../src-shared/attachments.ts';
import type { DeliveryReceipt, StartedEvent } from '../../../src-shared/events.ts';
import { attachmentUrl } from '../../conversation/Thumbnail.tsx';
import { openDialog } from '../../state/stage.ts';
import { Chip } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';

/** Characters of a hash that tell two files apart; the whole is in the title. */
const HASH_HEAD = 12;

const ROUTES: Readonly<Record<DeliveryReceipt['route'], string>> = {
  flag: 'by a flag',
  mention: 'by a mention in the prompt',
  tool: 'through its reading tool',
  inline: 'in the request itself',
};

/** One receipt for each image that was handed over. */
export function Deliveries({ attachments, started }: { attachments: readonly Attachment[]; started: StartedEvent }) {
  const missing = attachments.filter(
    (attachment) => !started.deliveries.some((receipt) => receipt.attachmentId === attachment.id),
  );
  if (started.deliveries.length === 0 && missing.length === 0) return 'none were sent';
  return (
    <ul aria-label="Delivered images" className="flex flex-col gap-2">
      {started.deliveries.map((receipt) => (
        <Delivered
          key={receipt.attachmentId}
          receipt={receipt}
          attachment={attachments.find((attachment) => attachment.id === receipt.attachmentId)}
        />
      ))}
      {missing.map((attachment) => (
        <li key={attachment.id} className="flex items-center gap-2">
          <Chip tone="bad">not delivered</Chip>
          {attachment.name}
        </li>
      ))}
    </ul>
  );
}

function Delivered({ receipt, attachment }: { receipt: DeliveryReceipt; attachment: Attachment | undefined }) {
  return (
    <li className="flex gap-2.5">
      {attachment !== undefined && (
        <button
          type="button"
          aria-label={`Show ${receipt.name}`}
          onClick={() => openDialog({ kind: 'image', attachment })}
          className="size-10 shrink-0 overflow-hidden rounded-md border border-line-strong bg-code hover:border-accent"
        >
          <img src={attachmentUrl(attachment)} alt="" loading="lazy" className="size-full object-cover" />
        </button>
      )}
      <div className="min-w-0">
        <p className="wrap-anywhere">{receipt.name}</p>
        <p className="text-ink-2">
          {receipt.width} × {receipt.height} px · {formatBytes(receipt.bytes)} · {ROUTES[receipt.route]}
        </p>
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2">
          <Chip tone={receipt.verified ? 'good' : 'bad'}>{receipt.verified ? 'verified' : 'not verified'}</Chip>
          <span className="machine" title={`SHA-256 ${receipt.sha256}`}>
            sha256 {receipt.sha256.slice(0, HASH_HEAD)}…
          </span>
        </p>
      </div>
    </li>
  );
}
