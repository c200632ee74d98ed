import { defineConfig } from 'vitest/config'
import { useMemory } from './test/helpers/temporary.ts'

useMemory()

/** `npm run test:faults`: whatever fails at whatever moment, nothing that was said is lost; see CONTRIBUTING.md. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/template.ts', 'test/helpers/node-starts.ts'],
    // Two lives at once keep two cores busy.
    maxConcurrency: 2,
    testTimeout: 3_600_000,
  },
})
