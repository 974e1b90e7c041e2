import type { CallResult, EngineCallName, EngineEvent } from '../../src-shared/api.ts';
import type { AttachmentId, RunId } from '../../src-shared/ids.ts';

/** What the desktop needs of the engine. */
export interface DesktopEngine {
  /** Parses the input and the output, and never throws. */
  call(name: EngineCallName, input: unknown): Promise<CallResult<unknown>>;
  on(listener: (event: EngineEvent) => void): () => void;
  /** Invocations that run now. */
  busy(): number;
  /** Ends what runs, whole process trees, and closes the store. */
  close(): Promise<void>;
  attachmentFile(id: AttachmentId): { path: string; mime: string; name: string } | null;
  /** Absolute path of an artifact that exists. */
  artifactFile(run: RunId, name: string): string | null;
}
