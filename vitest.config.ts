import { defineConfig } from 'vitest/config'
import LongestFirst from './test/helpers/longest-first.ts'
import { useMemory } from './test/helpers/temporary.ts'

useMemory()

/** Unit, store, journey and CLI tests: real temp folders, real git, the real built binary; no client, no network. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', '**/node_modules/**'],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/template.ts'],
    // Most of the time goes to programs that the tests start; vitest itself would leave one core idle.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
  },
})
