/** @typedef {{ name: string, passed: number, failed: number }} StageResult */

/**
 * What a stage of tests amounts to. One that reported nothing, or ended badly without a failed test, counts as a failure:
 * silence is not success.
 * @param {string} name
 * @param {unknown} report the parsed JSON report; `null` when there is none
 * @param {number | null} exitCode
 * @param {(report: unknown) => { passed: number, failed: number } | null} read
 * @returns {StageResult}
 */
export function stageResult(name, report, exitCode, read) {
  const counts = report === null ? null : read(report);
  if (counts === null) return { name, passed: 0, failed: 1 };
  const isEmpty = counts.passed + counts.failed === 0;
  const endedBadly = exitCode !== 0 && counts.failed === 0;
  return { name, passed: counts.passed, failed: counts.failed + (isEmpty || endedBadly ? 1 : 0) };
}

/**
 * @param {unknown} report as written by vitest's `json` reporter
 * @returns {{ passed: number, failed: number } | null}
 */
export function readVitestReport(report) {
  const passed = numberAt(report, 'numPassedTests');
  const failed = numberAt(report, 'numFailedTests');
  const suites = arrayAt(report, 'testResults');
  if (passed === null || failed === null || suites === null) return null;
  // A file that could not be loaded has failed without a failed test of its own.
  const broken = suites.filter(
    (suite) => textAt(suite, 'status') === 'failed' && arrayAt(suite, 'assertionResults')?.length === 0,
  );
  return { passed, failed: failed + broken.length };
}

/**
 * @param {unknown} report as written by Playwright's `json` reporter
 * @returns {{ passed: number, failed: number } | null}
 */
export function readPlaywrightReport(report) {
  const stats = isRecord(report) ? report.stats : null;
  const expected = numberAt(stats, 'expected');
  const unexpected = numberAt(stats, 'unexpected');
  const flaky = numberAt(stats, 'flaky');
  const errors = arrayAt(report, 'errors');
  if (expected === null || unexpected === null || flaky === null || errors === null) return null;
  // A flaky test has failed once, and that is once too often.
  return { passed: expected, failed: unexpected + flaky + errors.length };
}

/**
 * The last line of `npm test`.
 * @param {readonly StageResult[]} results
 */
export function tallyLine(results) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  return `${passed} passed, ${failed} failed`;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * @param {unknown} value
 * @param {string} key
 */
function numberAt(value, key) {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'number' ? found : null;
}

/**
 * @param {unknown} value
 * @param {string} key
 */
function textAt(value, key) {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : null;
}

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown[] | null}
 */
function arrayAt(value, key) {
  const found = isRecord(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : null;
}
