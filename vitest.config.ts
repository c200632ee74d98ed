import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
// @ts-expect-error a script without types
import { textImportsForVitest } from './scripts/text-imports.mjs'
import LongestFirst from './test/helpers/longest-first.ts'
import { useMemory } from './test/helpers/temporary.ts'

useMemory()

/** These add a client to the lists of the program, so each has a process to itself. */
const ADDS_A_CLIENT = [
  'test/clients/contract/**',
  'test/clients/twin.test.ts',
  'test/context/state/state.test.ts',
  'test/journeys/fourth-client.test.ts',
]

const shared = {
  exclude: ['test/e2e/**', 'test/faults/**', '**/node_modules/**'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/** Unit, store, journey and CLI tests: real temp folders, real git, the real built binary; no client, no network. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/build.ts', 'test/helpers/template.ts', 'test/helpers/node-starts.ts'],
    // Most of the time goes to programs that the tests start, and half of it is waiting for them.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      // The files of a worker share their modules: to load them anew for each takes a tenth of the time.
      {
        plugins: [textImportsForVitest],
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...shared.exclude, ...ADDS_A_CLIENT],
          isolate: false,
        },
      },
      {
        plugins: [textImportsForVitest],
        test: {
          ...shared,
          name: 'clients',
          include: ADDS_A_CLIENT.map((path) => path.replace(/\*\*$/, '*.test.ts')),
        },
      },
    ],
  },
})
