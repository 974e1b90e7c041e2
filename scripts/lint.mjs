import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, requireSupportedNode } from './bootstrap.mjs';
import { run } from './run.mjs';
import { createSteps, main } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);
const CODE_FOLDERS = ['src-shared', 'src-main', 'src-renderer', 'e2e', 'bench', 'scripts'];

/**
 * The checks that run nothing of the application.
 * @returns {{ name: string, args: string[] }[]} arguments for Node
 */
export function lintStages() {
  /** @param {string[]} parts */
  const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts);
  const folders = CODE_FOLDERS.filter((folder) => existsSync(path.join(ROOT, folder)));
  return [
    { name: 'Format and lint', args: [bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '.'] },
    {
      name: 'Import directions',
      args: [
        bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
        '--config',
        '.dependency-cruiser.cjs',
        ...folders,
      ],
    },
    { name: 'Types', args: [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', '.'] },
  ];
}

/**
 * Runs the checks one after the other; a bad one does not keep the others from running.
 * @param {import('./steps.mjs').Steps} steps
 * @returns {Promise<{ name: string, passed: number, failed: number }[]>}
 */
export async function lint(steps) {
  const results = [];
  for (const { name, args } of lintStages()) {
    const finished = await steps.step(name, () => run(process.execPath, args, { cwd: ROOT }));
    const isGood = finished.code === 0;
    if (!isGood) steps.say(finished.output.trimEnd());
    results.push({ name, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 });
  }
  return results;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const steps = createSteps();
    requireSupportedNode();
    await ensurePackages(steps);
    const results = await lint(steps);
    return results.some((result) => result.failed > 0) ? 1 : 0;
  });
}
