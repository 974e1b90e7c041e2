import { z } from 'zod';
import { readRegularFile } from './files.ts';
import { pathInside } from './inside.ts';
import { MAX_PROJECT_FILE_BYTES } from './limits.ts';

/** What the project says of itself, and in which file. */
export interface ProjectFacts {
  manifests: { file: string; name: string | null; description: string | null }[];
  readme: { file: string; heading: string | null; paragraph: string | null } | null;
}

const READMES = ['README.md', 'README', 'readme.md', 'Readme.md', 'README.txt', 'README.rst'];
const MAX_FACT_LENGTH = 400;

const packageJson = z.object({ name: z.string().optional(), description: z.string().optional() });

type Manifest = Omit<ProjectFacts['manifests'][number], 'file'>;

const MANIFESTS: readonly (readonly [file: string, read: (text: string) => Manifest | null])[] = [
  ['package.json', readPackageJson],
  ['pyproject.toml', (text) => readTomlTable(text, /^\s*\[(project|tool\.poetry)\]\s*$/)],
  ['Cargo.toml', (text) => readTomlTable(text, /^\s*\[package\]\s*$/)],
  ['go.mod', (text) => ({ name: /^module\s+(\S+)/m.exec(text)?.[1] ?? null, description: null })],
];

export async function readProject(cwd: string): Promise<ProjectFacts> {
  const manifests: ProjectFacts['manifests'] = [];
  for (const [file, read] of MANIFESTS) {
    const text = await readTextInside(cwd, file);
    const manifest = text === null ? null : read(text);
    if (manifest !== null) manifests.push({ file, name: cut(manifest.name), description: cut(manifest.description) });
  }
  for (const file of READMES) {
    const text = await readTextInside(cwd, file);
    if (text !== null) return { manifests, readme: { file, ...readReadme(text) } };
  }
  return { manifests, readme: null };
}

async function readTextInside(cwd: string, file: string): Promise<string | null> {
  const path = await pathInside(cwd, file);
  if (path === null) return null;
  try {
    return (await readRegularFile(path, MAX_PROJECT_FILE_BYTES)).bytes.toString('utf8');
  } catch {
    // Unreadable is as good as absent here: there is nothing that could be told of it.
    return null;
  }
}

function readPackageJson(text: string): Manifest | null {
  try {
    const parsed = packageJson.safeParse(JSON.parse(text));
    return parsed.success ? { name: parsed.data.name ?? null, description: parsed.data.description ?? null } : null;
  } catch {
    // Not JSON (or its beginning only): it tells nothing.
    return null;
  }
}

/** `name` and `description` of one table; enough of TOML for how manifests write them. */
function readTomlTable(text: string, header: RegExp): Manifest | null {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => header.test(line));
  if (start === -1) return null;
  const values = new Map<string, string>();
  for (const line of lines.slice(start + 1)) {
    if (/^\s*\[/.test(line)) break;
    const match = /^\s*(name|description)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(line);
    const value = match?.[2] ?? match?.[3];
    if (match?.[1] !== undefined && value !== undefined && !values.has(match[1])) values.set(match[1], value);
  }
  return { name: values.get('name') ?? null, description: values.get('description') ?? null };
}

/** The first heading and the first paragraph of prose after it; badges, images and markup are passed over. */
export function readReadme(text: string): { heading: string | null; paragraph: string | null } {
  let heading: string | null = null;
  const paragraph: string[] = [];
  let isFenced = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line.startsWith('```')) isFenced = !isFenced;
    const isProse = !isFenced && line !== '' && !/^(#|<|\[!|!\[|```|---|===|\||>|[-*] )/.test(line);
    if (isProse) {
      paragraph.push(line);
      continue;
    }
    if (/^===+$/.test(line) && heading === null && paragraph.length === 1) {
      heading = paragraph.pop() ?? null;
      continue;
    }
    if (paragraph.length > 0) break;
    const title = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (!isFenced && heading === null && title !== undefined) heading = title;
  }
  return { heading: cut(heading), paragraph: paragraph.length === 0 ? null : cut(paragraph.join(' ')) };
}

function cut(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  return text.length <= MAX_FACT_LENGTH ? text : `${text.slice(0, MAX_FACT_LENGTH)}…`;
}
