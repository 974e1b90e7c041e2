import { useState } from 'react';
import type { Artifact } from '../../../src-shared/conversations.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import type { RunId } from '../../../src-shared/ids.ts';
import { call } from '../../state/bridge.ts';

export interface FileChoice {
  readonly run: RunId;
  readonly name: string;
}

export type RunFiles =
  | { readonly kind: 'files'; readonly artifacts: readonly Artifact[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type FilesByRun = ReadonlyMap<RunId, RunFiles>;

/** The files of the runs that were asked for, and a way to ask. */
export function useArtifacts(): { files: FilesByRun; load: (run: RunId) => Promise<void> } {
  const [files, setFiles] = useState<FilesByRun>(new Map());
  const [onTheWay] = useState(() => new Set<RunId>());
  async function load(run: RunId): Promise<void> {
    if (onTheWay.has(run)) return;
    onTheWay.add(run);
    const result = await call('listArtifacts', { run });
    onTheWay.delete(run);
    const known: RunFiles = result.ok
      ? { kind: 'files', artifacts: result.value.artifacts }
      : { kind: 'failed', failure: result.error };
    setFiles((before) => new Map(before).set(run, known));
  }
  return { files, load };
}
