import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const here = (...parts: string[]) => path.join(import.meta.dirname, ...parts);

/** Stays a package beside the bundle: native code, or Electron itself. */
const EXTERNAL = ['electron', 'libsql', 'electron-store'];

/** What the Node side runs on: Node 20 alone, and the Node inside of Electron. */
const NODE_TARGET = 'node20';
/** Chromium 130 is the oldest that the window is tested in. */
const WINDOW_TARGET = 'chrome130';

/** The main process, the headless command and the Guide: ES modules for Node. */
const main: UserConfig = {
  root: here(),
  build: {
    outDir: here('dist', 'main'),
    emptyOutDir: true,
    target: NODE_TARGET,
    ssr: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: here('src-main', 'main.ts'),
        cli: here('src-main', 'cli.ts'),
        guide: here('src-main', 'engine', 'agents', 'guide', 'guide.ts'),
      },
      external: EXTERNAL,
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
  ssr: { noExternal: true, external: EXTERNAL, target: 'node' },
};

/** CommonJS, because a sandboxed preload cannot be a module. */
const preload: UserConfig = {
  root: here(),
  build: {
    outDir: here('dist', 'preload'),
    emptyOutDir: true,
    target: NODE_TARGET,
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: { preload: here('src-main', 'preload.ts') },
      external: EXTERNAL,
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
  ssr: { noExternal: true, external: EXTERNAL, target: 'node' },
};

const renderer: UserConfig = {
  root: here('src-renderer'),
  // Pages come from app://parley/.
  base: '/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: here('dist', 'renderer'),
    emptyOutDir: true,
    target: WINDOW_TARGET,
    // The content security policy allows no inline script, so no polyfill may be written into the page.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Read from the disk, not over a network: the size of one file says little about the time to start.
    chunkSizeWarningLimit: 4_000,
  },
};

/** What `npm run bench` runs; no part of the application. */
const bench: UserConfig = {
  build: {
    outDir: here('dist', 'bench'),
    emptyOutDir: true,
    target: NODE_TARGET,
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: { bench: here('bench', 'bench.ts') },
      external: EXTERNAL,
      output: { format: 'es', entryFileNames: '[name].mjs' },
    },
  },
  ssr: { noExternal: true, external: EXTERNAL, target: 'node' },
};

const targets: Readonly<Record<string, UserConfig>> = { main, preload, renderer, bench };

/** `--mode` names the part that is built: `main`, `preload`, `renderer` or `bench`. */
export default defineConfig(({ mode }) => targets[mode] ?? renderer);
