/** What `git status --short --ignored` lists. */
export interface Status {
  /** Lines of what is not committed, as printed. */
  changed: string[];
  /** Directories that git ignores, relative to where it was asked, without the slash at their end. */
  ignored: Set<string>;
}

const IGNORED = '!! ';

export function readStatus(output: string): Status {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const ignored = lines
    .filter((line) => line.startsWith(IGNORED) && line.endsWith('/'))
    // A name with unusual characters is quoted; it is then counted like any other.
    .map((line) => line.slice(IGNORED.length, -1));
  return { changed: lines.filter((line) => !line.startsWith(IGNORED)), ignored: new Set(ignored) };
}
