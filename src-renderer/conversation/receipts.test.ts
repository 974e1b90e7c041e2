import { expect, test } from 'vitest';
import { emptyInvocationState, type InvocationState } from '../../src-shared/fold.ts';
import { invocationAt, sampleAttachment, sampleTurn, started } from '../state/samples.ts';
import { deliveryReceipt, sessionReceipt, shortSessionId } from './receipts.ts';

const begun = started(1);
if (begun.type !== 'started') throw new Error('unreachable');
const state = (more: Partial<InvocationState>): InvocationState => ({
  ...emptyInvocationState(invocationAt(1)),
  started: begun,
  ...more,
});
const sessionId = '01a231d5-9658-7303-afba-93e686679ff4';

test('a session is called what the agent reported, and a lost one is not passed over', () => {
  expect(sessionReceipt(state({}))).toBeNull();
  expect(sessionReceipt(state({ session: { sessionId, how: 'resumed' } }))).toMatchObject({
    text: 'resumed 01a2…ff4',
    tone: 'plain',
  });
  const lost = state({ session: { sessionId, how: 'fresh' }, started: { ...begun, resuming: 'old-session' } });
  expect(sessionReceipt(lost)).toMatchObject({ text: 'fresh 01a2…ff4, not resumed', tone: 'warn' });
  expect(sessionReceipt(lost)?.title).toContain('old-session');
});

test('only images that were verified count as delivered', () => {
  const attachments = [sampleAttachment(1), sampleAttachment(2)];
  const turn = sampleTurn(1, { attachments });
  const deliveries = attachments.map(({ id, name, sha256, bytes, width, height, path }, index) => ({
    ...{ attachmentId: id, name, sha256, bytes, width, height, path },
    route: 'flag' as const,
    verified: index === 0,
  }));
  expect(deliveryReceipt(turn, state({ started: { ...begun, deliveries } }))).toMatchObject({
    text: '1 of 2 images delivered',
    tone: 'warn',
  });
  expect(deliveryReceipt(sampleTurn(1), state({}))).toBeNull();
  // What is known to have been opened is said; of the other one nothing is.
  const [first] = deliveries;
  const opened = state({ started: { ...begun, deliveries }, opened: [first?.path ?? ''] });
  expect(deliveryReceipt(turn, opened)?.text).toBe('1 of 2 images delivered, 1 opened');
});

test('a short session id is shown whole', () => {
  expect(shortSessionId('abc')).toBe('abc');
});
