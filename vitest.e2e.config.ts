import { defineConfig } from 'vitest/config'
// @ts-expect-error a script without types
import { textImportsForVitest } from './scripts/text-imports.mjs'
import { LONG } from './test/helpers/long.ts'
import { LONG_FILES } from './test/helpers/long-files.ts'
import LongestFirst from './test/helpers/longest-first.ts'
import { useMemory } from './test/helpers/temporary.ts'

useMemory()

/** The real clients against a fake model API on loopback. Each test has a home, a network and terminals of its own. */
export default defineConfig({
  plugins: [textImportsForVitest],
  test: {
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(LONG ? [] : LONG_FILES)],
    globalSetup: ['test/helpers/build.ts', 'test/helpers/template.ts', 'test/e2e/install.ts'],
    // Two cores: clients wait half of the time. More would make them slower than a person's patience.
    maxWorkers: 3,
    // The files of a worker share their modules, as the unit tests do: none of them changes what another would see.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // On a busy machine a key now and then comes too early. CI counts the second tries.
    retry: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
    // The message is all that CI has of a test that passed at its second try.
    chaiConfig: { truncateThreshold: 1_000 },
  },
})
