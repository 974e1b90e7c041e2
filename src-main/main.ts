import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { runDesktop } from './desktop/index.ts';
import { createEngine } from './engine/engine.ts';
import { dataDirectory } from './engine/storage/index.ts';

// This file is built to dist/main/main.mjs, beside the embedded agents' scripts.
const scriptsDirectory = dirname(fileURLToPath(import.meta.url));
const built = dirname(scriptsDirectory);
const directory = dataDirectory(process.env, process.platform, homedir());

// Not awaited: Electron gets ready only after its entry module has finished.
void runDesktop({
  dataDirectory: directory,
  rendererRoot: join(built, 'renderer'),
  preloadFile: join(built, 'preload', 'preload.cjs'),
  openEngine: (preferences, secret) =>
    createEngine({
      dataDirectory: directory,
      version: packageJson.version,
      origin: 'web',
      scriptsDirectory,
      env: process.env,
      // A desktop icon starts an application with another PATH than the operator's shell has; a terminal with that one.
      askLoginShell: process.env.TERM === undefined,
      preferences,
      secret,
    }),
});
