import { defineConfig } from 'vitest/config'

/** The real clients against a fake model API on loopback. One at a time: each owns a terminal. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/helpers/build.ts', 'test/e2e/install.ts'],
    fileParallelism: false,
    // The clients draw and load at their own pace: on a busy machine a key now and then comes too early.
    retry: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
