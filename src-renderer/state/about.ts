import { create } from 'zustand';
import type { CallOutput } from '../../src-shared/api.ts';
import { call } from './bridge.ts';

interface AboutState {
  about: CallOutput<'about'> | null;
}

/** What engine this is and where it keeps things. */
export const useAbout = create<AboutState>()(() => ({ about: null }));

export async function loadAbout(): Promise<void> {
  const result = await call('about', {});
  // Without it paths are shown whole; a bridge that is gone is told by the calls that matter.
  if (result.ok) useAbout.setState({ about: result.value });
}

/** A path with the home directory as `~`. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path;
  if (path === home) return '~';
  const separator = home.includes('\\') ? '\\' : '/';
  return path.startsWith(home + separator) ? `~${path.slice(home.length)}` : path;
}

export function useShortPath(path: string): string {
  return useAbout((state) => shortPath(path, state.about?.homeDirectory));
}
