import { defineConfig } from 'vitest/config'

/** `npm run record-fixtures`: the real clients through a fixed talk; see src/clients/README.md. */
export default defineConfig({
  test: {
    include: ['test/record/*.record.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/helpers/build.ts', 'test/e2e/install.ts'],
    fileParallelism: false,
    retry: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
