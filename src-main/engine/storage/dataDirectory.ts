import { isAbsolute, join, resolve } from 'node:path';

/**
 * Where Parley keeps everything: `PARLEY_HOME`, else the platform's place for application data. Always absolute: paths
 * below it are handed to CLIs that run in another directory.
 */
export function dataDirectory(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, homeDirectory: string): string {
  const chosen = env.PARLEY_HOME;
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  switch (platform) {
    case 'darwin':
      return join(homeDirectory, 'Library', 'Application Support', 'Parley');
    case 'win32':
      return join(env.APPDATA ?? join(homeDirectory, 'AppData', 'Roaming'), 'Parley');
    default: {
      const base = env.XDG_DATA_HOME;
      return join(base !== undefined && isAbsolute(base) ? base : join(homeDirectory, '.local', 'share'), 'parley');
    }
  }
}
