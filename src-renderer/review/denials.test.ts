import { expect, test } from 'vitest';
import { emptyInvocationState, foldSeatEvents } from '../../src-shared/fold.ts';
import { eventsOf, invocationAt } from '../state/samples.ts';
import { denialsOf, omittedDenials } from './denials.ts';

test('refused calls are told with what was asked, whether they had a card or not', () => {
  const state = foldSeatEvents(
    emptyInvocationState(invocationAt(1)),
    eventsOf(1, 0, [
      { type: 'tool-call', callId: 'a', tool: 'command', title: 'rm -rf build' },
      { type: 'denied', callId: 'a', what: 'rm -rf build', reason: 'declined' },
      { type: 'tool-call', callId: 'b', tool: 'command', title: 'ls' },
      { type: 'tool-result', callId: 'b', status: 'failed', output: 'no', exitCode: 1 },
      { type: 'denied', callId: null, what: 'write /etc/passwd', reason: '' },
    ]),
  );
  expect(denialsOf(state).map(({ what, reason }) => [what, reason])).toEqual([
    ['rm -rf build', 'declined'],
    ['write /etc/passwd', ''],
  ]);
  expect(omittedDenials(state)).toBe(0);
  expect(omittedDenials({ ...state, parts: [] })).toBe(2);
});
