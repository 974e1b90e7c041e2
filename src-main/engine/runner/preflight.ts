import { realpath, stat } from 'node:fs/promises';
import type { Attachment } from '../../../src-shared/attachments.ts';
import { errorText, ParleyError } from '../../../src-shared/failure.ts';
import { MIN_FREE_BYTES } from '../../../src-shared/limits.ts';
import type { Cause } from '../../../src-shared/outcome.ts';
import type { CommandLine } from '../agents/index.ts';
import type { AttachmentStore } from '../conversations/index.ts';
import { contains } from '../files/index.ts';
import { freeBytes } from '../storage/index.ts';

/** Those of `paths` that lie outside `cwd` once symbolic links are resolved. A path that is gone counts as outside. */
export async function outsideOf(cwd: string, paths: readonly string[]): Promise<string[]> {
  const root = await realpath(cwd);
  const outside: string[] = [];
  for (const path of paths) {
    const resolved = await realpath(path).catch(() => null);
    if (resolved === null || !contains(root, resolved)) outside.push(path);
  }
  return outside;
}

/** What would make a turn fail before anything is started; `null` when nothing does. */
export async function preflight(
  cwd: string,
  attachments: readonly Attachment[],
  store: AttachmentStore,
  artifactsDirectory: string,
): Promise<Cause | null> {
  const stats = await stat(cwd).catch(() => null);
  if (stats === null || !stats.isDirectory()) return { kind: 'cwd-missing', cwd };
  for (const attachment of attachments) {
    const fault = await store.verify(attachment);
    if (fault !== null) return { kind: 'attachment-unreadable', name: attachment.name, detail: fault };
  }
  const free = await freeBytes(artifactsDirectory);
  return free < MIN_FREE_BYTES ? { kind: 'disk-full', freeBytes: free } : null;
}

/**
 * One argument of a program, with the NUL that ends it, bytes: Linux takes 32 pages (`MAX_ARG_STRLEN`) and says `E2BIG`
 * to more.
 */
const MAX_ARGUMENT_BYTES = 128 * 1024;
/** All arguments together: Windows takes 32,767 characters, macOS 1 MiB with the environment. */
const MAX_ARGUMENTS_BYTES = process.platform === 'win32' ? 32_000 : 768 * 1024;

/** What keeps the system from starting a program with these arguments; `null` when nothing does. */
export function argumentFault({ args }: CommandLine): Cause | null {
  if (args.some((word) => word.includes('\0'))) {
    return { kind: 'spawn', detail: 'the message holds the character NUL, which no argument can' };
  }
  const sizes = args.map((word) => Buffer.byteLength(word) + 1);
  const longest = Math.max(0, ...sizes);
  if (process.platform === 'linux' && longest > MAX_ARGUMENT_BYTES) {
    return { kind: 'argument-too-long', bytes: longest, limitBytes: MAX_ARGUMENT_BYTES };
  }
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return all <= MAX_ARGUMENTS_BYTES ? null : { kind: 'argument-too-long', bytes: all, limitBytes: MAX_ARGUMENTS_BYTES };
}

/** The cause behind a file that could not be written, or a command line that could not be built. */
export function writeFailure(error: unknown): Cause {
  if (error instanceof ParleyError) return { kind: 'spawn', detail: error.message };
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'disk-full', freeBytes: 0 };
  return { kind: 'internal', detail: errorText(error) };
}
