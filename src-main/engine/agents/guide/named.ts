import { stat } from 'node:fs/promises';
import { errorText } from '../../../../src-shared/failure.ts';
import { isBinary, readRegularFile } from './files.ts';
import { pathInside } from './inside.ts';
import { MAX_NAMED_FILES, MAX_SHOWN_BYTES, MAX_SHOWN_LINES } from './limits.ts';

/** A file of the working directory that the message names. */
export type NamedFile = { name: string } & (
  | { kind: 'text'; head: string; size: number; whole: boolean }
  | { kind: 'binary'; size: number }
  | { kind: 'unreadable'; why: string }
);

const MAX_NAME_LENGTH = 500;
/** Candidates that are looked up on disk. */
const MAX_CANDIDATES = 60;

/** The words of a message that could be file names: they have a dot or a slash, or stand in quotes. */
export function fileCandidates(text: string): string[] {
  const quoted = [...text.matchAll(/[`"“']([^`"”'\n]{1,500})[`"”']/g)].map((match) => match[1] ?? '');
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[("'`“<[]+|[)"'`”>\],;:!?]+$|\.$/g, ''))
    .filter((word) => /[./\\]/.test(word) || /^(Makefile|Dockerfile|LICENSE|README|CHANGELOG)$/.test(word));
  const candidates = [...quoted, ...words].filter((word) => word !== '' && word.length <= MAX_NAME_LENGTH);
  return [...new Set(candidates)].slice(0, MAX_CANDIDATES);
}

/** The beginnings of the named files that are there and lie inside `cwd`, at most {@link MAX_NAMED_FILES}. */
export async function readNamedFiles(cwd: string, text: string): Promise<NamedFile[]> {
  const files = new Map<string, NamedFile>();
  for (const candidate of fileCandidates(text)) {
    if (files.size >= MAX_NAMED_FILES) break;
    const path = await pathInside(cwd, candidate);
    if (path === null || files.has(path) || !(await isFile(path))) continue;
    files.set(path, await readHead(path, candidate));
  }
  return [...files.values()];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function readHead(path: string, name: string): Promise<NamedFile> {
  try {
    const { bytes, size } = await readRegularFile(path, MAX_SHOWN_BYTES);
    if (isBinary(bytes)) return { name, kind: 'binary', size };
    const text = bytes.toString('utf8');
    const lines = text.split(/\r?\n/);
    const head = lines.slice(0, MAX_SHOWN_LINES).join('\n');
    return { name, kind: 'text', head, size, whole: bytes.length === size && lines.length <= MAX_SHOWN_LINES };
  } catch (error) {
    return { name, kind: 'unreadable', why: errorText(error) };
  }
}
