import type { CallResult } from '../../src-shared/api.ts';
import type { RunId } from '../../src-shared/ids.ts';
import { call } from '../state/bridge.ts';

/** Something whose bytes can be read piece by piece, and which may grow. */
export interface ByteSource {
  /** Bytes from `offset`, fewer at the end; `size` is how many there are by now. */
  read(offset: number, length: number): Promise<CallResult<{ bytes: Uint8Array; size: number }>>;
}

export function artifactSource(run: RunId, name: string): ByteSource {
  return { read: (offset, length) => call('readArtifact', { run, name, offset, length }) };
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    read: async (offset, length) => ({
      ok: true,
      value: { bytes: bytes.subarray(offset, offset + length), size: bytes.byteLength },
    }),
  };
}
