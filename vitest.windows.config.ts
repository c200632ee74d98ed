import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
// @ts-expect-error a script without types
import { textImportsForVitest } from './scripts/text-imports.mjs'
import { FILES_LEFT_OUT, LEFT_OUT_UNDER_WINE } from './test/windows/files-left-out.ts'

/** Set by scripts/windows/test.mjs. */
const WINE = process.env.CORTEXT_WINE !== undefined

/** The rooms below the journeys, and the purely computed ones. The others run the program in sh and set modes. */
const ROOMS = ['context', 'io', 'redact', 'search', 'session', 'store', 'text', 'workspace']

/**
 * The unit tests that say something about Windows. They run in CI on Windows, and in `npm run test:windows` under Wine.
 * test/windows/left-out.ts lists the tests of these rooms that are left out, and why.
 */
export default defineConfig({
  plugins: [textImportsForVitest],
  test: {
    include: ROOMS.map((room) => `test/${room}/**/*.test.ts`),
    exclude: ['**/node_modules/**', ...Object.keys(FILES_LEFT_OUT), ...(WINE ? LEFT_OUT_UNDER_WINE : [])],
    // On a busy machine Wine now and then fails to start a program (spawn UNKNOWN).
    retry: WINE ? 1 : 0,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    setupFiles: ['test/windows/left-out.ts'],
    globalSetup: ['test/helpers/template.ts', 'test/helpers/node-starts.ts'],
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
