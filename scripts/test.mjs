import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensurePackages } from './bootstrap.mjs';
import { lint } from './lint.mjs';
import { ensureOpenCode } from './opencode.mjs';
import { prepare } from './prepare.mjs';
import { run } from './run.mjs';
import { ensureShells } from './shells.mjs';
import { createSteps, main, ScriptError } from './steps.mjs';
import { readPlaywrightReport, readVitestReport, stageResult, tallyLine } from './tally.mjs';

const ROOT = path.dirname(import.meta.dirname);
const CLIENTS = path.join(ROOT, 'e2e', 'clients');
/** @param {string[]} parts */
const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts);

const USAGE = `npm test                     everything
npm test -- lint unit        only these stages: lint, unit, window, clients`;

const steps = createSteps();

/**
 * Runs one stage of tests and reads its report.
 * @param {string} name
 * @param {string} reports a folder
 * @param {(reportFile: string) => { args: string[], env: NodeJS.ProcessEnv }} command
 * @param {(report: unknown) => { passed: number, failed: number } | null} read
 */
async function testStage(name, reports, command, read) {
  const reportFile = path.join(reports, `${name}.json`);
  const { args, env } = command(reportFile);
  const finished = await steps.step(name, () =>
    run(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, show: true }),
  );
  /** @type {unknown} */
  let report = null;
  try {
    report = JSON.parse(await readFile(reportFile, 'utf8'));
  } catch {
    // A stage that crashed leaves no report, and that counts as a failure.
    steps.say(`  ${name} left no report`);
  }
  const result = stageResult(name, report, finished.code, read);
  steps.say(`  ${name}: ${tallyLine([result])}`);
  return result;
}

/** @param {string} project */
const playwright = (project) => (/** @type {string} */ reportFile) => ({
  args: [bin('@playwright', 'test', 'cli.js'), 'test', `--project=${project}`, '--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
});

const vitest = (/** @type {string} */ reportFile) => ({
  args: [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ],
  env: {},
});

/** @type {Record<string, (reports: string) => Promise<import('./tally.mjs').StageResult[]>>} */
const STAGES = {
  lint: () => lint(steps),
  unit: async (reports) => {
    await steps.step('Shells for the tests', () =>
      ensureShells({ say: steps.say, env: process.env, isRoot: process.getuid?.() === 0, run }),
    );
    return [await testStage('unit', reports, vitest, readVitestReport)];
  },
  window: async (reports) => [await testStage('window', reports, playwright('window'), readPlaywrightReport)],
  clients: async (reports) => {
    await ensurePackages(steps, CLIENTS);
    await ensureOpenCode(steps, CLIENTS);
    return [await testStage('clients', reports, playwright('clients'), readPlaywrightReport)];
  },
};

const NEEDS_WINDOW = new Set(['window', 'clients']);

/**
 * Runs a stage; one that cannot even be started is a failure like any other, and the next ones still run.
 * @param {string} name
 * @param {string} reports
 */
async function attempt(name, reports) {
  const stage = STAGES[name];
  if (stage === undefined) throw new ScriptError(`There is no stage “${name}”.\n${USAGE}`);
  try {
    return await stage(reports);
  } catch (error) {
    steps.say(`  ${name} could not be run: ${error instanceof Error ? error.message : error}`);
    return [{ name, passed: 0, failed: 1 }];
  }
}

await main(async () => {
  const chosen = process.argv.slice(2);
  if (chosen.includes('--help')) {
    steps.say(USAGE);
    return 0;
  }
  const unknown = chosen.find((name) => !Object.hasOwn(STAGES, name));
  if (unknown !== undefined) throw new ScriptError(`There is no stage “${unknown}”.\n${USAGE}`);

  const reports = await mkdtemp(path.join(os.tmpdir(), 'parley-reports-'));
  try {
    const results = [];
    const ready = await prepare(steps, { window: 'anywhere' }).then(
      () => true,
      (error) => {
        steps.say(
          error instanceof ScriptError
            ? error.message
            : error instanceof Error
              ? (error.stack ?? error.message)
              : String(error),
        );
        return false;
      },
    );
    if (!ready) results.push({ name: 'preparation', passed: 0, failed: 1 });
    for (const name of chosen.length === 0 ? Object.keys(STAGES) : chosen) {
      if (ready || !NEEDS_WINDOW.has(name)) results.push(...(await attempt(name, reports)));
      else results.push({ name: `${name} (not run: the preparation failed)`, passed: 0, failed: 1 });
    }
    steps.say('');
    for (const result of results) steps.say(`  ${result.name}: ${tallyLine([result])}`);
    steps.say(tallyLine(results));
    return results.some((result) => result.failed > 0) ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
});
