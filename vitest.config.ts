import { defineConfig } from 'vitest/config';

/** Time for one test that starts real processes on a busy machine, ms. */
const TEST_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    environment: 'node',
    include: [
      '{src-shared,src-main,src-renderer,scripts,bench}/**/*.test.{ts,tsx,mjs}',
      'e2e/{loopback-model,clients,native}/**/*.test.ts',
    ],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    pool: 'forks',
  },
});
