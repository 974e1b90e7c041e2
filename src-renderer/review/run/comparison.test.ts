import { expect, test } from 'vitest';
import { invocationAt, started } from '../../state/samples.ts';
import { compareTurns } from './comparison.ts';

const words = { agent: (id: string) => id.toUpperCase(), directory: (path: string) => path };
const begun = started(1);
if (begun.type !== 'started') throw new Error('unreachable');

test('a first turn has none to be compared with', () => {
  expect(compareTurns(begun, words)).toBeNull();
});

test('each thing that a turn ran with is the same as before, or has changed from and to', () => {
  const previous = {
    invocationId: invocationAt(0),
    agent: 'guide' as const,
    model: 'small',
    access: 'can-write' as const,
    cwd: begun.cwd,
    sessionId: 's',
  };
  expect(compareTurns({ ...begun, previous }, words)).toEqual([
    { term: 'Agent', before: 'GUIDE', now: 'CODEX', isSame: false },
    { term: 'Model', before: 'small', now: 'the agent’s default', isSame: false },
    { term: 'Access', before: 'can write', now: 'read-only', isSame: false },
    { term: 'Directory', before: '/work', now: '/work', isSame: true },
  ]);
});
