import { ParleyError } from '../../../src-shared/failure.ts';
import { repairHistory } from './history.ts';
import { openJournal } from './journal.ts';
import type { ChatMessage } from './messages.ts';
import type { NativeTurnInput } from './turnTypes.ts';

/** The history of a turn, in memory or in a journal. What is appended is durable when the call returns. */
export interface History {
  readonly messages: readonly ChatMessage[];
  append(messages: readonly ChatMessage[]): Promise<void>;
  rewrite(messages: readonly ChatMessage[]): Promise<void>;
}

export interface OpenedHistory {
  readonly history: History;
  /** What the operator should know of how it was read. */
  readonly notices: readonly string[];
}

/**
 * The history that a turn begins with: every call in it has exactly one result.
 * @throws ParleyError when the journal cannot be read: a turn that knows nothing of what was said must not look as if it did
 */
export async function openHistory(input: NativeTurnInput): Promise<OpenedHistory> {
  if (input.contextPath === undefined) {
    const { messages, diagnostics } = repairHistory(input.priorMessages);
    return { history: new MemoryHistory([...messages]), notices: repairNotices(diagnostics) };
  }
  const journal = await openJournal(input.contextPath);
  if (journal.failure !== null) {
    throw new ParleyError('journal-unreadable', journal.failure.message, journal.failure.hint);
  }
  const { messages, diagnostics } = repairHistory(journal.messages);
  const { skipped } = journal.report;
  const unread =
    skipped === 0 ? [] : [`${skipped} ${skipped === 1 ? 'line' : 'lines'} of the history could not be read.`];
  const current = [...messages];
  const history: History = {
    messages: current,
    append: async (added) => {
      await journal.append(added);
      current.push(...added);
    },
    rewrite: async (whole) => {
      await journal.rewrite(whole);
      current.splice(0, current.length, ...whole);
    },
  };
  return { history, notices: [...unread, ...repairNotices(diagnostics)] };
}

class MemoryHistory implements History {
  constructor(readonly messages: ChatMessage[]) {}

  async append(added: readonly ChatMessage[]): Promise<void> {
    this.messages.push(...added);
  }

  async rewrite(whole: readonly ChatMessage[]): Promise<void> {
    this.messages.splice(0, this.messages.length, ...whole);
  }
}

function repairNotices(diagnostics: ReturnType<typeof repairHistory>['diagnostics']): string[] {
  const { missing } = diagnostics;
  if (missing === 0) return [];
  return [`${missing} earlier ${missing === 1 ? 'call' : 'calls'} had no result; the model is told that.`];
}
