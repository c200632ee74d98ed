import { defineConfig } from 'vitest/config'

/** The second half of `npm run test:windows`: this runs on Linux, and drives Windows programs. */
export default defineConfig({
  test: {
    include: ['test/windows/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    bail: 0,
  },
})
