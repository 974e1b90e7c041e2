import type { Turn } from '../../src-shared/conversations.ts';
import type { InvocationState } from '../../src-shared/fold.ts';
import { freshClause, replayText } from './sessionWords.ts';

export interface Receipt {
  readonly text: string;
  readonly title: string;
  readonly tone: 'plain' | 'warn';
}

/** Characters of a session id that a chip shows on either side; the whole is in its title and in the review. */
const ID_HEAD = 4;
const ID_TAIL = 3;

export function shortSessionId(id: string): string {
  return id.length <= ID_HEAD + ID_TAIL + 1 ? id : `${id.slice(0, ID_HEAD)}…${id.slice(-ID_TAIL)}`;
}

/** What the agent reported of its session; `null` while it has reported nothing. */
export function sessionReceipt({ session, started }: InvocationState): Receipt | null {
  if (session === null) return null;
  const id = shortSessionId(session.sessionId);
  const title = `Session ${session.sessionId}`;
  if (session.how === 'resumed') return { text: `resumed ${id}`, title, tone: 'plain' };
  if (session.how === 'replayed') {
    const told = started?.replay == null ? 'told the transcript' : replayText(started.replay);
    return { text: `replayed into ${id}`, title: `${title}, ${told}`, tone: 'warn' };
  }
  const asked = started?.resuming ?? null;
  const because = started?.freshBecause ?? null;
  const why = because === null ? '' : `; ${freshClause(because, started?.previous != null)}`;
  return asked === null
    ? { text: `fresh ${id}`, title: `${title}${why}`, tone: 'plain' }
    : { text: `fresh ${id}, not resumed`, title: `${title}; asked to resume ${asked}`, tone: 'warn' };
}

/** How many of the message's images were handed over, read and compared before the start; `null` without images. */
export function deliveryReceipt(turn: Turn, { started, opened }: InvocationState): Receipt | null {
  const total = turn.attachments.length;
  if (total === 0 || started === null) return null;
  const sent = new Set(turn.attachments.map((attachment) => attachment.id));
  const delivered = started.deliveries.filter((each) => each.verified && sent.has(each.attachmentId));
  const seen = delivered.filter((each) => opened.includes(each.path));
  const told = `${delivered.length} of ${total} ${total === 1 ? 'image' : 'images'} delivered`;
  return {
    // That none is known to have been opened says nothing.
    text: seen.length === 0 ? told : `${told}, ${seen.length} opened`,
    title: delivered.map((each) => `${each.name} (${each.route}${seen.includes(each) ? ', opened' : ''})`).join(', '),
    tone: delivered.length === total ? 'plain' : 'warn',
  };
}
