import { describe, expect, it } from 'vitest';
import { invocationId } from '../../src-shared/ids.ts';
import { createLiveWatches } from './liveWatches.ts';

const one = invocationId.parse('inv-20260101-000000-00000001');
const two = invocationId.parse('inv-20260101-000000-00000002');

/** An engine that counts watchers as the real one does, and knows no other invocation than these. */
function watched() {
  const watchers = new Map<unknown, number>([
    [one, 0],
    [two, 0],
  ]);
  const watches = createLiveWatches(async (name, input) => {
    const id = typeof input === 'object' && input !== null ? Reflect.get(input, 'invocationId') : null;
    const count = watchers.get(id);
    if (count === undefined) return { ok: false };
    if (name === 'watchLive') watchers.set(id, count + 1);
    if (name === 'unwatchLive') watchers.set(id, count - 1);
    return { ok: true };
  });
  return { watches, counts: () => [...watchers.values()] };
}

describe('what a page watches', () => {
  it('is ended with the page, as often as it was begun', async () => {
    const { watches, counts } = watched();
    await watches.answer('watchLive', { invocationId: one });
    await watches.answer('watchLive', { invocationId: one });
    await watches.answer('watchLive', { invocationId: two });
    await watches.answer('unwatchLive', { invocationId: two });
    expect(counts()).toEqual([2, 0]);
    watches.release();
    expect(counts()).toEqual([0, 0]);
    watches.release();
    expect(counts()).toEqual([0, 0]);
  });

  it('does not count what the engine refused', async () => {
    const { watches, counts } = watched();
    const unknown = invocationId.parse('inv-20260101-000000-00000003');
    await watches.answer('watchLive', { invocationId: unknown });
    await watches.answer('watchLive', { invocationId: one, more: 1 });
    await watches.answer('unwatchLive', { invocationId: one });
    watches.release();
    expect(counts()).toEqual([0, 0]);
  });
});
