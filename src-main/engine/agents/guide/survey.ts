import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { isBinary, readRegularFile } from './files.ts';
import {
  MAX_COUNTED_FILE_BYTES,
  MAX_SURVEY_BYTES,
  MAX_SURVEY_DEPTH,
  MAX_SURVEY_DIRECTORIES,
  MAX_SURVEY_FILES,
  MAX_SURVEY_MS,
} from './limits.ts';

export interface LanguageSize {
  language: string;
  files: number;
  lines: number;
}

/** How big a directory is, as far as it was looked at. */
export interface Survey {
  files: number;
  lines: number;
  /** Most lines first. */
  languages: LanguageSize[];
  /** Symbolic links, which are not followed. */
  links: number;
  /** Directories and files that could not be read. */
  unreadable: number;
  /** Directories left out, e.g. `node_modules`, relative to the root. */
  skipped: string[];
  /** Why not everything was looked at; `null` when it was. */
  bounded: string | null;
}

/** Not the project's own files. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']);

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TypeScript: '.ts .tsx .mts .cts',
    JavaScript: '.js .jsx .mjs .cjs',
    Python: '.py .pyi',
    Rust: '.rs',
    Go: '.go',
    Java: '.java',
    Kotlin: '.kt .kts',
    Swift: '.swift',
    C: '.c .h',
    'C++': '.cc .cpp .cxx .hpp .hh',
    'C#': '.cs',
    Ruby: '.rb',
    PHP: '.php',
    Shell: '.sh .bash .zsh',
    HTML: '.html .htm',
    CSS: '.css .scss .less',
    SQL: '.sql',
    Markdown: '.md .mdx',
    JSON: '.json .jsonl',
    YAML: '.yml .yaml',
    TOML: '.toml',
    Vue: '.vue',
    Svelte: '.svelte',
    Lua: '.lua',
    Dart: '.dart',
    Scala: '.scala',
    Elixir: '.ex .exs',
    Haskell: '.hs',
    Zig: '.zig',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
);

/**
 * Walks `root` without following links, breadth first, within the named limits. `ignored` holds directories that are left
 * out, relative to `root`. Never throws.
 */
export async function surveyDirectory(
  root: string,
  ignored: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Survey> {
  const survey: Survey = { files: 0, lines: 0, languages: [], links: 0, unreadable: 0, skipped: [], bounded: null };
  const languages = new Map<string, LanguageSize>();
  const skipped = new Set<string>();
  const queue: { path: string; depth: number }[] = [{ path: root, depth: 0 }];
  const deadline = Date.now() + MAX_SURVEY_MS;
  let directories = 0;
  let bytes = 0;

  const limit = (): string | null => {
    if (signal.aborted) return 'I was stopped';
    if (survey.files >= MAX_SURVEY_FILES) return `I stop at ${MAX_SURVEY_FILES.toLocaleString('en')} files`;
    if (directories > MAX_SURVEY_DIRECTORIES) {
      return `I stop at ${MAX_SURVEY_DIRECTORIES.toLocaleString('en')} directories`;
    }
    if (bytes >= MAX_SURVEY_BYTES) return `I stop after reading ${MAX_SURVEY_BYTES / 1024 / 1024} MiB`;
    return Date.now() > deadline ? `I stop after ${MAX_SURVEY_MS / 1000} seconds` : null;
  };

  const take = async (directory: string, depth: number, entry: Dirent) => {
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink()) {
      survey.links++;
    } else if (entry.isDirectory()) {
      const name = relative(root, path).replaceAll('\\', '/');
      if (SKIPPED.has(entry.name)) skipped.add(entry.name);
      else if (ignored.has(name)) skipped.add(name);
      else if (depth >= MAX_SURVEY_DEPTH) survey.bounded ??= `I go ${MAX_SURVEY_DEPTH} directories deep`;
      else queue.push({ path, depth: depth + 1 });
    } else if (entry.isFile()) {
      survey.files++;
      const language = LANGUAGES.get(extname(entry.name).toLowerCase());
      if (language === undefined) return;
      const size = languages.get(language) ?? { language, files: 0, lines: 0 };
      languages.set(language, size);
      size.files++;
      const counted = await countLines(path);
      if (counted === null) {
        survey.unreadable++;
        return;
      }
      size.lines += counted.lines;
      survey.lines += counted.lines;
      bytes += counted.bytes;
    }
  };

  for (let next = queue.shift(); next !== undefined && limit() === null; next = queue.shift()) {
    directories++;
    try {
      for await (const entry of await opendir(next.path)) {
        if (limit() !== null) break;
        await take(next.path, next.depth, entry);
      }
    } catch {
      // The directory cannot be read, or went away meanwhile: it is counted and told.
      survey.unreadable++;
    }
  }
  survey.bounded = limit() ?? survey.bounded;
  survey.languages = [...languages.values()].sort((a, b) => b.lines - a.lines);
  survey.skipped = [...skipped].sort();
  return survey;
}

/** The lines of a text file; 0 for binary and for very large ones; `null` when it cannot be read. */
async function countLines(path: string): Promise<{ lines: number; bytes: number } | null> {
  try {
    const { bytes, size } = await readRegularFile(path, MAX_COUNTED_FILE_BYTES);
    if (size > MAX_COUNTED_FILE_BYTES || isBinary(bytes)) return { lines: 0, bytes: bytes.length };
    let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++;
    return { lines, bytes: bytes.length };
  } catch {
    return null;
  }
}
