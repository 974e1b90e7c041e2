import type { EventPayload } from '../../../src-shared/api.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import type { InvocationId } from '../../../src-shared/ids.ts';
import { call, listen } from '../../state/bridge.ts';
import { formatBytes } from '../format.ts';
import { artifactSource, type ByteSource } from '../source.ts';
import { createFeed } from './feed.ts';
import { type LiveTerminal, openTerminal } from './terminal.ts';

export type Stream = EventPayload<'live'>['stream'];

export interface LiveSession {
  readonly terminal: LiveTerminal;
  /** The invocation has ended: shows the rest. */
  finish(): void;
  close(): void;
}

export interface SessionEvents {
  /** The first output is drawn. */
  onOutput(): void;
  /** Everything is shown that will ever be there. */
  onFinished(): void;
  onFollow(follows: boolean): void;
  onFailure(failure: Failure): void;
}

/** Shows one stream of an invocation in `host` until it is closed: first what is there, then what comes. */
export function openSession(
  host: HTMLElement,
  invocationId: InvocationId,
  stream: Stream,
  { onOutput, onFinished, onFollow, onFailure }: SessionEvents,
): LiveSession {
  const terminal = openTerminal(host, onFollow);
  let source: ByteSource | null = null;
  let isClosed = false;
  const feed = createFeed({
    source: {
      read: async (offset, length) =>
        (await source?.read(offset, length)) ?? { ok: true, value: { bytes: new Uint8Array(), size: 0 } },
    },
    async write(bytes) {
      onOutput();
      await terminal.write(bytes);
    },
    skipped(bytes) {
      onOutput();
      terminal.note(`${formatBytes(bytes)} of earlier output left out here; the whole is in Artifacts`);
    },
    failed: onFailure,
    finished: onFinished,
  });
  // Listened to before the watch begins, so that nothing falls between the two.
  const unlisten = listen('live', (payload) => {
    if (payload.invocationId === invocationId && payload.stream === stream) feed.offer(payload.offset, payload.bytes);
  });
  void call('watchLive', { invocationId }).then((result) => {
    if (isClosed) return;
    if (!result.ok) return onFailure(result.error);
    const { run, stem, sizes } = result.value;
    source = artifactSource(run, `${stem}.${stream}.log`);
    feed.open(sizes[stream]);
  });
  return {
    terminal,
    finish: () => feed.finish(),
    close() {
      isClosed = true;
      unlisten();
      feed.close();
      void call('unwatchLive', { invocationId });
      terminal.dispose();
    },
  };
}
