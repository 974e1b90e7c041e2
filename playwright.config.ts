import { defineConfig } from '@playwright/test';

/** One test drives a whole application, on a machine that may be busy, and may have to start it more than once. */
const TEST_TIMEOUT_MS = 150_000;
/** One test starts real CLIs several times, each of which takes seconds to begin. */
const CLIENT_TEST_TIMEOUT_MS = 180_000;
/** For what has to appear in the window. */
const EXPECT_TIMEOUT_MS = 20_000;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/window/display.ts',
  outputDir: 'test-results',
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: EXPECT_TIMEOUT_MS },
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  projects: [
    { name: 'window', testDir: 'e2e/window', testMatch: '**/*.spec.ts' },
    { name: 'clients', testDir: 'e2e/clients', testMatch: '**/*.spec.ts', timeout: CLIENT_TEST_TIMEOUT_MS },
  ],
});
