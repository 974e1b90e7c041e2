import { expect, test } from 'vitest';
import { emptyInvocationState, foldSeatEvent } from '../../src-shared/fold.ts';
import {
  eventsOf,
  invocationAt,
  said,
  sampleAttachment,
  sampleSnapshot,
  sampleTurn,
  started,
  turnAt,
} from '../state/samples.ts';
import { viewOf } from '../state/view.ts';
import { findMatches, occurrences } from './find.ts';

const reply = eventsOf(1, 0, [
  started(1),
  { type: 'thinking', messageId: 't', text: 'footer, thought' },
  { type: 'tool-call', callId: 'c', tool: 'command', title: 'grep Footer src' },
  { type: 'tool-result', callId: 'c', status: 'ok', output: 'footer in the folded output', exitCode: 0 },
  said('The footer is a FOOTER.'),
]).reduce(foldSeatEvent, emptyInvocationState(invocationAt(1)));

const view = viewOf(
  sampleSnapshot([
    sampleTurn(1, { text: 'Why is the footer there?', attachments: [sampleAttachment(7)], invocations: [reply] }),
    sampleTurn(2, { state: 'queued', text: 'footer, queued', invocations: [] }),
  ]),
);

test('matches are found from the top in what is shown, and not in what is folded or queued', () => {
  const row = `${turnAt(1)}/${invocationAt(1)}`;
  expect(findMatches(view, 'footer')).toEqual([
    { row: turnAt(1), nth: 0 },
    { row, nth: 0 },
    { row, nth: 1 },
    { row, nth: 2 },
  ]);
});

test('names of images are found, and nothing is found for nothing', () => {
  expect(findMatches(view, 'IMAGE-7')).toHaveLength(1);
  expect(findMatches(view, '  ')).toEqual([]);
  expect(findMatches(view, 'no such text')).toEqual([]);
});

test('occurrences do not overlap', () => {
  expect(occurrences('aaaa', 'aa')).toEqual([0, 2]);
  expect(occurrences('a.c', '.')).toEqual([1]);
});
