import { describe, expect, test } from 'vitest';
import { type CommandProblem, commandDraft, definitionId } from '../../../src-shared/commandDefinition.ts';
import { copyName, emptyDraft, shownProblems } from './drafting.ts';
import { sessionWay, withSessionWay } from './options.ts';

test('a new description is a draft with an id of its own', () => {
  const [one, other] = [emptyDraft(), emptyDraft()];
  expect(commandDraft.parse(one)).toEqual(one);
  expect(definitionId.parse(one.id)).not.toBe(other.id);
});

test('copies are told apart', () => {
  expect(copyName('Tool', ['Tool'])).toBe('Tool copy');
  expect(copyName('Tool', ['Tool', 'Tool copy', 'Tool copy 2'])).toBe('Tool copy 3');
});

describe('that a field is empty', () => {
  const problem = (field: string): CommandProblem => ({ field, sentence: 'No.', level: 'problem' });
  const problems = [problem('name'), problem('program'), problem('arguments')];

  test('is no news before the operator wants to save', () => {
    const draft = { ...emptyDraft(), program: 'tool' };
    expect(shownProblems(draft, problems, false).map(({ field }) => field)).toEqual(['program', 'arguments']);
  });

  test('is said from then on', () => {
    expect(shownProblems(emptyDraft(), problems, true)).toEqual(problems);
  });
});

test('a way of sessions is one choice, whichever way it is stored', () => {
  for (const way of ['none', 'minted', 'reported'] as const) {
    const draft = { ...emptyDraft(), resume: withSessionWay(way, '--resume {session}') };
    expect(sessionWay(draft)).toBe(way);
    expect(commandDraft.parse(draft)).toEqual(draft);
  }
});
