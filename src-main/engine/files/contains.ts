import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` lies in `directory` or is it. Both absolute; links are the caller's to resolve. */
export function contains(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
