import { describe, expect, it } from 'vitest';
import { readPlaywrightReport, readVitestReport, stageResult, tallyLine } from './tally.mjs';

const vitestReport = (/** @type {object} */ more) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  testResults: [],
  ...more,
});
const playwrightReport = (/** @type {object} */ stats, /** @type {unknown[]} */ errors = []) => ({
  stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
});

describe('the tally of npm test', () => {
  it('counts what passed and failed', () => {
    const report = vitestReport({ numFailedTests: 2 });
    expect(stageResult('unit', report, 1, readVitestReport)).toEqual({ name: 'unit', passed: 5, failed: 2 });
    expect(stageResult('window', playwrightReport({ unexpected: 1 }), 1, readPlaywrightReport)).toEqual({
      name: 'window',
      passed: 4,
      failed: 1,
    });
  });

  it('counts a stage without a report as failed', () => {
    expect(stageResult('unit', null, 0, readVitestReport).failed).toBe(1);
    expect(stageResult('unit', { not: 'a report' }, 0, readVitestReport).failed).toBe(1);
  });

  it('counts a stage that ended badly without a failed test as failed', () => {
    expect(stageResult('unit', vitestReport({}), 1, readVitestReport)).toMatchObject({ passed: 5, failed: 1 });
    expect(stageResult('unit', vitestReport({}), null, readVitestReport).failed).toBe(1);
  });

  it('counts a stage that ran nothing as failed', () => {
    expect(stageResult('window', playwrightReport({ expected: 0 }), 0, readPlaywrightReport).failed).toBe(1);
  });

  it('counts a test file that could not be loaded', () => {
    const broken = { status: 'failed', assertionResults: [] };
    expect(stageResult('unit', vitestReport({ testResults: [broken] }), 1, readVitestReport).failed).toBe(1);
  });

  it('counts flaky tests and errors outside of tests as failed', () => {
    expect(stageResult('window', playwrightReport({ flaky: 1 }), 0, readPlaywrightReport).failed).toBe(1);
    expect(stageResult('window', playwrightReport({}, [{ message: 'set-up' }]), 1, readPlaywrightReport).failed).toBe(
      1,
    );
  });

  it('is one line', () => {
    const results = [
      { name: 'a', passed: 3, failed: 1 },
      { name: 'b', passed: 4, failed: 0 },
    ];
    expect(tallyLine(results)).toBe('7 passed, 1 failed');
  });
});
