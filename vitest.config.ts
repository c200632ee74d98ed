import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
// @ts-expect-error a script without types
import { textImportsForVitest } from './scripts/text-imports.mjs'
import LongestFirst from './test/helpers/longest-first.ts'
import { useMemory } from './test/helpers/temporary.ts'

useMemory()

/** These files add a client to the lists of the program, so each has a process to itself. */
const ADDS_A_CLIENT = [
  'test/clients/contract/**',
  'test/clients/twin.test.ts',
  'test/context/state/state.test.ts',
  'test/conversation/segments/running-turn.test.ts',
  'test/journeys/fourth-client.test.ts',
]

/** Says to helpers that no other file sees what this one changes. */
const OWN_PROCESS = { OWN_PROCESS: '1' }

/**
 * Tests that take long. `npm test` leaves them out; `npm run test:laws` and `.ci/run` run them. Each has a process to
 * itself, since some of them add a client too.
 */
const LAWS = [
  // Programs that are killed at every step, and many programs at one lock.
  'test/cli/append-killed.test.ts',
  'test/cli/start-killed.test.ts',
  'test/journeys/editing/prune-merged-killed.test.ts',
  'test/journeys/editing/redact.test.ts',
  'test/journeys/importing/import-killed.test.ts',
  'test/journeys/merging/settle-killed.test.ts',
  'test/journeys/recording/hook-killed.test.ts',
  'test/journeys/syncing/killed.test.ts',
  'test/library/agent-loop.test.ts',
  'test/store/machine/locks/lock.test.ts',
  'test/store/machine/locks/lock-killed.test.ts',
  // Laws that are tried with many random cases.
  'test/cli/clone/fuzz.test.ts',
  'test/cli/only-looks.test.ts',
  'test/clients/contract/damage.test.ts',
  'test/clients/contract/reading.test.ts',
  'test/context/covering.test.ts',
  'test/context/laws.test.ts',
  'test/context/messages.test.ts',
  'test/context/pruned-part.test.ts',
  'test/extras/why/law.test.ts',
  'test/journeys/importing/unkept.test.ts',
  'test/journeys/interleaving.test.ts',
  'test/journeys/reshape.test.ts',
  'test/journeys/syncing/machines.test.ts',
  'test/redact/redact-laws.test.ts',
  // Large data, counts of processes, and a copy of the program.
  'test/cli/git-processes.test.ts',
  'test/cli/long-record.test.ts',
  'test/clients/twin.test.ts',
  'test/journeys/importing/memory.test.ts',
  'test/journeys/importing/too-long.test.ts',
  'test/redact/redact-growth.test.ts',
]

const shared = {
  exclude: ['test/e2e/**', 'test/faults/**', 'test/windows/**', '**/node_modules/**'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/** Unit, store, journey and CLI tests with real folders, real git and the built program, without clients or a network. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/build.ts', 'test/helpers/template.ts', 'test/helpers/node-starts.ts'],
    // Much of the time is spent waiting for other programs.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      // The files of a worker share their modules, because loading them takes a tenth of the time.
      {
        plugins: [textImportsForVitest],
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...shared.exclude, ...ADDS_A_CLIENT, ...LAWS],
          isolate: false,
        },
      },
      {
        plugins: [textImportsForVitest],
        test: {
          ...shared,
          name: 'clients',
          env: OWN_PROCESS,
          include: ADDS_A_CLIENT.map((path) => path.replace(/\*\*$/, '*.test.ts')),
          exclude: [...shared.exclude, ...LAWS],
        },
      },
      {
        test: {
          ...shared,
          name: 'laws',
          env: OWN_PROCESS,
          include: LAWS,
          // CI runs them at a low priority.
          testTimeout: 600_000,
        },
      },
    ],
  },
})
