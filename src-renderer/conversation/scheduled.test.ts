import { expect, test } from 'vitest';
import { sampleAttachment, sampleSeat, sampleSnapshot, sampleTurn, seatAt, turnAt } from '../state/samples.ts';
import { viewOf } from '../state/view.ts';
import { scheduledAgain } from './scheduled.ts';

test('the message that waits for its time is found by what it says, and by the seat it goes to', () => {
  const failed = sampleTurn(1, { text: 'go', attachments: [sampleAttachment(1)] });
  const again = (more: object) =>
    viewOf(
      sampleSnapshot([failed, sampleTurn(2, { ...failed, id: turnAt(2), position: 2, state: 'scheduled', ...more })]),
    );
  expect(scheduledAgain(again({}), failed, sampleSeat(0))?.id).toBe(turnAt(2));
  expect(scheduledAgain(again({ state: 'queued' }), failed, sampleSeat(0))).toBeUndefined();
  expect(scheduledAgain(again({ attachments: [] }), failed, sampleSeat(0))).toBeUndefined();
  expect(scheduledAgain(again({ seatIds: [seatAt(1)] }), failed, sampleSeat(0))).toBeUndefined();
});
