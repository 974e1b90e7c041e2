import { expect, test } from 'vitest';
import { keptEvents } from './keptEvents.ts';

const IMAGE = '/data/attachments/c/a.png';
const filter = keptEvents({ cwd: '/data/work', images: [IMAGE], replayed: false });

test('a file that was read is told when it is an attachment, however it was written', () => {
  for (const path of [IMAGE, '../attachments/c/a.png', '/data/attachments/c/../c/a.png']) {
    expect(filter({ type: 'opened', path })).toEqual({ type: 'opened', path: IMAGE });
  }
});

test('what else an agent reads is nobody’s business', () => {
  for (const path of ['/etc/passwd', '/data/attachments/d/a.png', '']) {
    expect(filter({ type: 'opened', path })).toBeNull();
  }
});

test('every other event passes', () => {
  const event = { type: 'text', messageId: 'm', text: 'x' } as const;
  expect(filter(event)).toBe(event);
});

test('a fresh session that was told the transcript is a replayed one; a resumed one is not', () => {
  const told = keptEvents({ cwd: '/', images: [], replayed: true });
  expect(told({ type: 'session', sessionId: 's', how: 'fresh' })).toMatchObject({ how: 'replayed' });
  expect(told({ type: 'session', sessionId: 's', how: 'resumed' })).toMatchObject({ how: 'resumed' });
  expect(filter({ type: 'session', sessionId: 's', how: 'fresh' })).toMatchObject({ how: 'fresh' });
});
