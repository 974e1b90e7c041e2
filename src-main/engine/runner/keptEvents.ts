import { resolve } from 'node:path';
import type { ReaderEvent } from '../../../src-shared/events.ts';

export interface EventSetting {
  readonly cwd: string;
  /** Absolute paths of the images that the conversation has sent. */
  readonly images: readonly string[];
  /** Whether a fresh session was told the transcript. */
  readonly replayed: boolean;
}

/**
 * What is kept of what a reader reports, live and from a spool that is read again: of the files that an agent is known to
 * have read only attachments, for that is what a receipt is about; and a fresh session that was told the transcript is a
 * replayed one, which the agent cannot know.
 * @returns `null` for what is not kept
 */
export function keptEvents({ cwd, images, replayed }: EventSetting): (event: ReaderEvent) => ReaderEvent | null {
  const known = new Set(images);
  return (event) => {
    if (event.type === 'session' && event.how === 'fresh' && replayed) return { ...event, how: 'replayed' };
    if (event.type !== 'opened') return event;
    const path = resolve(cwd, event.path);
    return known.has(path) ? { type: 'opened', path } : null;
  };
}
