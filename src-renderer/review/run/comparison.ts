import type { StartedEvent } from '../../../src-shared/events.ts';

/** One thing that a turn ran with, beside what the seat's turn before it ran with. */
export interface Comparison {
  readonly term: string;
  readonly now: string;
  readonly before: string;
  readonly isSame: boolean;
}

export interface ComparisonWords {
  agent(id: StartedEvent['agent']): string;
  directory(path: string): string;
}

const ACCESS = { 'read-only': 'read-only', 'can-write': 'can write' } as const;

/** What a turn has in common with the seat's turn before it; `null` when there is none to compare it with. */
export function compareTurns(started: StartedEvent, words: ComparisonWords): Comparison[] | null {
  const { previous } = started;
  if (previous === null) return null;
  const model = (name: string | null) => name ?? 'the agent’s default';
  return [
    compare('Agent', words.agent(previous.agent), words.agent(started.agent)),
    compare('Model', model(previous.model), model(started.model)),
    compare('Access', ACCESS[previous.access], ACCESS[started.access]),
    compare('Directory', words.directory(previous.cwd), words.directory(started.cwd)),
  ];
}

function compare(term: string, before: string, now: string): Comparison {
  return { term, before, now, isSame: before === now };
}
