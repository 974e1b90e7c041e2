import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mimeTypes from 'mime-types';
import type { Artifact } from '../../../src-shared/conversations.ts';
import { ParleyError } from '../../../src-shared/failure.ts';
import type { InvocationId, RunId } from '../../../src-shared/ids.ts';

/** What an invocation leaves behind; the file is `<stem>.<ending>`. */
const ENDINGS = { prompt: 'prompt.md', stdout: 'stdout.log', stderr: 'stderr.log', meta: 'meta.json' } as const;
export type ArtifactKind = keyof typeof ENDINGS;

/** A name that is one path segment on every platform and hides nothing. */
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/;

/** The files that invocations leave, one directory for each run. */
export class ArtifactService {
  /** `directory` is absolute. */
  constructor(private readonly directory: string) {}

  directoryOf(run: RunId): string {
    return join(this.directory, run);
  }

  path(run: RunId, stem: string, kind: ArtifactKind): string {
    return join(this.directoryOf(run), `${stem}.${ENDINGS[kind]}`);
  }

  /** Writes the prompt as it is sent, and creates the empty spools. */
  async prepare(run: RunId, stem: string, prompt: string): Promise<void> {
    await mkdir(this.directoryOf(run), { recursive: true, mode: 0o700 });
    const mode = 0o600;
    await writeFile(this.path(run, stem, 'prompt'), prompt, { mode });
    await writeFile(this.path(run, stem, 'stdout'), '', { mode });
    await writeFile(this.path(run, stem, 'stderr'), '', { mode });
  }

  /** Writes what else the agent's command line refers to. */
  async writeExtra(run: RunId, stem: string, files: readonly { ending: string; text: string }[]): Promise<void> {
    for (const { ending, text } of files) {
      await writeFile(join(this.directoryOf(run), `${stem}${ending}`), text, { mode: 0o600 });
    }
  }

  async sizes(run: RunId, stem: string): Promise<{ stdout: number; stderr: number }> {
    const size = async (kind: ArtifactKind) => (await stat(this.path(run, stem, kind)).catch(() => null))?.size ?? 0;
    return { stdout: await size('stdout'), stderr: await size('stderr') };
  }

  async list(run: RunId, stems: ReadonlyMap<string, InvocationId>): Promise<Artifact[]> {
    const names = await readdir(this.directoryOf(run)).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => NAME_PATTERN.test(name))
        .sort()
        .map(async (name): Promise<Artifact | null> => {
          const stats = await stat(join(this.directoryOf(run), name)).catch(() => null);
          if (stats === null || !stats.isFile()) return null;
          const { stem, kind } = splitName(name);
          const mime = mimeTypes.lookup(name) || 'application/octet-stream';
          return { run, name, invocationId: stems.get(stem) ?? null, kind, bytes: stats.size, mime };
        }),
    );
    return found.filter((artifact) => artifact !== null);
  }

  /**
   * The absolute path of an artifact.
   * @throws ParleyError `no-artifact` when the name is not one that an artifact can have
   */
  resolve(run: RunId, name: string): string {
    if (!NAME_PATTERN.test(name)) throw new ParleyError('no-artifact', `There is no artifact “${name}”.`);
    return join(this.directoryOf(run), name);
  }

  /** Bytes from `offset`, at most `length`. @throws ParleyError `no-artifact` */
  async read(run: RunId, name: string, offset: number, length: number): Promise<{ bytes: Uint8Array; size: number }> {
    const file = await open(this.resolve(run, name), 'r').catch((error: unknown) => {
      throw new ParleyError(
        'no-artifact',
        `The artifact “${name}” cannot be read.`,
        'It may have been deleted from the data directory.',
        { cause: error },
      );
    });
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytesRead), size };
    } finally {
      await file.close();
    }
  }

  async delete(run: RunId): Promise<void> {
    await rm(this.directoryOf(run), { recursive: true, force: true });
  }
}

function splitName(name: string): { stem: string; kind: Artifact['kind'] } {
  for (const [kind, ending] of Object.entries(ENDINGS)) {
    if (name.endsWith(`.${ending}`)) return { stem: name.slice(0, -ending.length - 1), kind: kind as ArtifactKind };
  }
  return { stem: name, kind: 'other' };
}
