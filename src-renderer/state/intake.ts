import type { Attachment, Refusal } from '../../src-shared/attachments.ts';
import { describeRefusal } from '../../src-shared/attachments.ts';
import { errorText } from '../../src-shared/failure.ts';
import { MAX_ATTACHMENT_BYTES } from '../../src-shared/limits.ts';

/** Something that was dropped, pasted or picked. */
export interface IntakeFile {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly type: string;
  readonly read: () => Promise<ArrayBuffer>;
}

/** One image of a draft, as the composer shows it. */
export type DraftItem =
  | { readonly kind: 'ready'; readonly key: string; readonly attachment: Attachment }
  | { readonly kind: 'adding'; readonly key: string; readonly name: string }
  | {
      readonly kind: 'failed';
      readonly key: string;
      readonly name: string;
      readonly sentence: string;
      readonly hint: string;
      /** What to try again; `null` when trying again cannot help. */
      readonly retry: IntakeFile | null;
    };

export function intakeFile(file: File, isDirectory: boolean): IntakeFile {
  return {
    name: file.name === '' ? 'image' : file.name,
    isDirectory,
    size: file.size,
    type: file.type,
    read: () => file.arrayBuffer(),
  };
}

/** What a drop or a paste holds. To be called in its event handler: the transfer is empty afterwards. */
export function intakeFromTransfer(transfer: DataTransfer): IntakeFile[] {
  const found: IntakeFile[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const file = item.getAsFile();
    if (file === null) continue;
    found.push(intakeFile(file, item.webkitGetAsEntry()?.isDirectory ?? false));
  }
  return found;
}

/** Why a file is refused before it is read. */
export function refuseUnread(file: IntakeFile): Refusal | null {
  if (file.isDirectory) return { reason: 'unsupported', what: 'a folder' };
  if (file.size > MAX_ATTACHMENT_BYTES) return { reason: 'too-large', bytes: file.size };
  return null;
}

/** Why reading failed, by what the browser calls it. */
export function refusalOfReadError(error: unknown): Refusal {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotFoundError') return { reason: 'vanished' };
  const detail = name === 'NotReadableError' ? 'it is not readable, or it changed meanwhile' : errorText(error);
  return { reason: 'unreadable', detail };
}

/** The reasons for which the same file can be tried again. */
function canRetry(why: Refusal): boolean {
  return why.reason === 'vanished' || why.reason === 'unreadable' || why.reason === 'too-many';
}

export function refusedItem(key: string, file: IntakeFile, why: Refusal): DraftItem {
  return {
    kind: 'failed',
    key,
    name: file.name,
    ...describeRefusal(file.name, why),
    retry: canRetry(why) ? file : null,
  };
}
