import path from 'node:path';
import { ensurePackages, requireSupportedNode } from './bootstrap.mjs';
import { run } from './run.mjs';
import { createSteps, main } from './steps.mjs';

const ROOT = path.dirname(import.meta.dirname);

/** Measures what the README claims. Arguments choose: `turn`, `stream`; none means all. */
await main(async () => {
  const steps = createSteps();
  requireSupportedNode();
  await ensurePackages(steps);
  // The real CLI that a turn is measured with.
  await ensurePackages(steps, path.join(ROOT, 'e2e', 'clients'));
  const vite = await import('vite');
  const configFile = path.join(ROOT, 'vite.config.ts');
  await steps.step('Build the bench', () =>
    vite.build({ root: ROOT, configFile, mode: 'bench', logLevel: 'warn' }).then(() => undefined),
  );
  const script = path.join(ROOT, 'dist', 'bench', 'bench.mjs');
  return (await run(process.execPath, [script, ...process.argv.slice(2)], { cwd: ROOT, show: true })).code ?? 1;
});
