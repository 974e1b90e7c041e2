import { resolve } from 'node:path';
import type { ReaderEvent } from '../../../src-shared/events.ts';

/**
 * Of the files that an agent is known to have read only attachments are told: that is what a receipt is about.
 * @param attachments absolute paths of the images that the conversation has sent
 */
export function openedFilter(cwd: string, attachments: readonly string[]): (event: ReaderEvent) => ReaderEvent | null {
  const known = new Set(attachments);
  return (event) => {
    if (event.type !== 'opened') return event;
    const path = resolve(cwd, event.path);
    return known.has(path) ? { type: 'opened', path } : null;
  };
}
