import { engineCalls } from '../../src-shared/api.ts';
import type { InvocationId } from '../../src-shared/ids.ts';

type Answer = (name: unknown, input: unknown) => Promise<{ ok: boolean }>;

export interface LiveWatches {
  answer: Answer;
  /** Ends what the page watches: it is gone, and took its chance to do so with it. */
  release(): void;
}

/** Counts what the page watches, so that raw output is not sent for ever to a page that was reloaded. */
export function createLiveWatches(answer: Answer): LiveWatches {
  const counts = new Map<InvocationId, number>();

  function count(name: unknown, input: unknown): void {
    if (name !== 'watchLive' && name !== 'unwatchLive') return;
    const parsed = engineCalls[name].input.safeParse(input);
    if (!parsed.success) return;
    const { invocationId } = parsed.data;
    const next = (counts.get(invocationId) ?? 0) + (name === 'watchLive' ? 1 : -1);
    if (next > 0) counts.set(invocationId, next);
    else counts.delete(invocationId);
  }

  return {
    async answer(name, input) {
      const result = await answer(name, input);
      if (result.ok) count(name, input);
      return result;
    },
    release() {
      const left = [...counts];
      counts.clear();
      for (const [invocationId, times] of left) {
        // An answer never throws, and nobody is left to be told of an error.
        for (let time = 0; time < times; time++) void answer('unwatchLive', { invocationId });
      }
    },
  };
}
