import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from './run.mjs';

const ROOT = path.dirname(import.meta.dirname);
const CRUISER = path.join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

/** @type {string} */
let tree;
beforeEach(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'parley-house-'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));
  for (const name of ['tsconfig.json', 'package.json']) await symlink(path.join(ROOT, name), path.join(tree, name));
});
afterEach(() => rm(tree, { recursive: true }));

/** Rooms and their doors, without any import between them. */
const HOUSE = [
  'src-shared/api.ts',
  'src-main/main.ts',
  'src-main/desktop/index.ts',
  'src-main/desktop/window.ts',
  'src-main/engine/engine.ts',
  ...['files', 'agents', 'process', 'storage', 'conversations', 'services', 'runner', 'table'].flatMap((room) => [
    `src-main/engine/${room}/index.ts`,
    `src-main/engine/${room}/inside.ts`,
  ]),
  'src-renderer/main.tsx',
  'src-renderer/state/store.ts',
];

/**
 * Builds the house with some imports and cruises it by the rules of the real one.
 * @param {[from: string, to: string][]} imports `to` is a file of the house or a package
 */
async function cruise(imports) {
  for (const file of HOUSE) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    const lines = imports
      .filter(([from]) => from === file)
      .map(([, to], index) => {
        const relative = path.relative(path.dirname(file), to);
        const specifier = HOUSE.includes(to) ? (relative.startsWith('.') ? relative : `./${relative}`) : to;
        return `import * as i${index} from '${specifier}';\nconsole.log(i${index});`;
      });
    await writeFile(path.join(tree, file), [...lines, 'export const word = 1;'].join('\n'));
  }
  return run(
    process.execPath,
    [CRUISER, '--config', path.join(ROOT, '.dependency-cruiser.cjs'), 'src-shared', 'src-main', 'src-renderer'],
    { cwd: tree },
  );
}

const engine = (/** @type {string} */ file) => `src-main/engine/${file}`;

it('the directions that DESIGN.md draws pass', async () => {
  const finished = await cruise([
    ['src-shared/api.ts', 'zod'],
    [engine('files/inside.ts'), 'src-shared/api.ts'],
    [engine('process/inside.ts'), engine('files/index.ts')],
    [engine('conversations/inside.ts'), engine('storage/index.ts')],
    [engine('runner/inside.ts'), engine('conversations/index.ts')],
    [engine('runner/inside.ts'), engine('agents/index.ts')],
    [engine('table/inside.ts'), engine('runner/index.ts')],
    [engine('engine.ts'), engine('table/index.ts')],
    ['src-main/main.ts', engine('engine.ts')],
    ['src-main/main.ts', 'src-main/desktop/index.ts'],
    ['src-main/desktop/window.ts', 'electron'],
    ['src-renderer/main.tsx', 'src-shared/api.ts'],
    ['src-renderer/main.tsx', 'src-renderer/state/store.ts'],
  ]);
  expect(finished.output).toContain('no dependency violations');
  expect(finished.code).toBe(0);
});

it('each wrong direction fails the build, by the rule that forbids it', async () => {
  /** @type {[rule: string, from: string, to: string][]} */
  const wrong = [
    ['shared-stands-alone', 'src-shared/api.ts', 'src-main/main.ts'],
    ['shared-without-platform', 'src-shared/api.ts', 'node:fs'],
    ['shared-without-electron', 'src-shared/api.ts', 'electron'],
    ['renderer-imports-shared-only', 'src-renderer/main.tsx', engine('engine.ts')],
    ['renderer-without-node', 'src-renderer/main.tsx', 'electron'],
    ['renderer-without-core-modules', 'src-renderer/state/store.ts', 'node:path'],
    ['engine-without-electron', engine('services/inside.ts'), 'electron'],
    ['engine-without-electron', engine('storage/inside.ts'), 'electron-store'],
    ['engine-knows-no-desktop', engine('engine.ts'), 'src-main/desktop/index.ts'],
    ['cellar', engine('files/inside.ts'), engine('process/index.ts')],
    ['ground-floor', engine('process/inside.ts'), engine('storage/index.ts')],
    ['ground-floor', engine('agents/inside.ts'), engine('conversations/index.ts')],
    ['middle-floor', engine('conversations/inside.ts'), engine('services/index.ts')],
    ['middle-floor', engine('services/inside.ts'), engine('runner/index.ts')],
    ['runner-floor', engine('runner/inside.ts'), engine('table/index.ts')],
    ['runner-floor', engine('runner/index.ts'), engine('engine.ts')],
    ['by-the-door', engine('engine.ts'), engine('runner/inside.ts')],
    ['by-the-door-from-rooms', engine('runner/inside.ts'), engine('agents/inside.ts')],
    ['desktop-by-the-door', 'src-main/main.ts', 'src-main/desktop/window.ts'],
    ['desktop-knows-no-rooms', 'src-main/desktop/window.ts', engine('engine.ts')],
  ];
  const finished = await cruise(wrong.map(([, from, to]) => [from, to]));
  for (const [rule, from, to] of wrong) {
    const target = HOUSE.includes(to) ? to : '';
    const line = finished.output.split('\n').find((each) => each.includes(`error ${rule}: ${from} → ${target}`));
    expect(line, `${rule}: ${from} → ${to}\n${finished.output}`).toBeDefined();
  }
  expect(finished.code).not.toBe(0);
});
