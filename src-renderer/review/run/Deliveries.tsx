import { useState } from 'react';
import type { Attachment } from '../../../src-shared/attachments.ts';
import type { DeliveryReceipt, StartedEvent } from '../../../src-shared/events.ts';
import { attachmentUrl } from '../../conversation/Thumbnail.tsx';
import { copyText } from '../../state/outside.ts';
import { openDialog } from '../../state/stage.ts';
import { Chip, CopyButton } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';
import { NotReported } from './Facts.tsx';

/** Characters of a hash that tell two files apart; the whole is shown on demand. */
const HASH_HEAD = 12;

const ROUTES: Readonly<Record<DeliveryReceipt['route'], string>> = {
  flag: 'by a flag',
  mention: 'by a mention in the prompt',
  tool: 'through its reading tool',
  inline: 'in the request itself',
};

/** One receipt for each image that was handed over. */
export function Deliveries({
  attachments,
  started,
  opened,
  agentLabel,
}: {
  attachments: readonly Attachment[];
  started: StartedEvent;
  /** Paths of attachments that the agent is known to have read. */
  opened: readonly string[];
  agentLabel: string;
}) {
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
          openedBy={opened.includes(receipt.path) ? agentLabel : null}
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

function Delivered({
  receipt,
  openedBy,
  attachment,
}: {
  receipt: DeliveryReceipt;
  /** `null` when nothing was said of it: that it was not opened is never known. */
  openedBy: string | null;
  attachment: Attachment | undefined;
}) {
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
      <div className="min-w-0 space-y-0.5">
        <p className="wrap-anywhere">{receipt.name}</p>
        <p className="text-ink-2">
          {receipt.width} × {receipt.height} px · {formatBytes(receipt.bytes)} · {ROUTES[receipt.route]}
        </p>
        <p className="text-ink-2">
          <Chip tone={receipt.verified ? 'good' : 'bad'}>
            {receipt.verified ? 'readable just before the start' : 'not readable before the start'}
          </Chip>
        </p>
        <p className="text-ink-2">
          {openedBy === null ? (
            <>
              Opening it: <NotReported />
            </>
          ) : (
            <Chip tone="good">opened by {openedBy}</Chip>
          )}
        </p>
        <Hash name={receipt.name} sha256={receipt.sha256} />
      </div>
    </li>
  );
}

/** A hash, short until it is asked for. */
function Hash({ name, sha256 }: { name: string; sha256: string }) {
  const [isWhole, setIsWhole] = useState(false);
  return (
    <div className="flex items-start gap-1 text-ink-2">
      <button
        type="button"
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
        className="machine min-h-6 min-w-0 rounded-sm text-left wrap-anywhere hover:text-ink"
      >
        sha256 {isWhole ? sha256 : `${sha256.slice(0, HASH_HEAD)}…`}
        <span className="sr-only"> of {name}</span>
      </button>
      <CopyButton label={`Copy the hash of ${name}`} onCopy={() => copyText(sha256)} className="size-6" />
    </div>
  );
}
