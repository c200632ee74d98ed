import { describe, expect, test } from 'vitest'
import { verdictOf } from '../../../src/context/state/runs/check-output.ts'

/** The last lines of the outputs of test runners, compilers and linters: when all is well, and when something failed. */
const OUTPUTS: readonly (readonly [tool: string, passed: string, failed: string])[] = [
  [
    'Bun',
    ' 12 pass\n 0 fail\n 30 expect() calls\nRan 12 tests across 3 files.',
    ' 11 pass\n 1 fail\nRan 12 tests',
  ],
  ['Bun in a workspace', '@a/core test:  12 pass\n@a/core test:  0 fail', '@a/core test: (fail) reads [2ms]'],
  ['Deno', 'ok | 3 passed | 0 failed (12ms)', 'FAILED | 2 passed | 1 failed (9ms)\n\nerror: Test failed'],
  [
    'Gradle',
    '10 actionable tasks: 3 executed\nBUILD SUCCESSFUL in 3s',
    'FAILURE: Build failed with an exception.\nBUILD FAILED in 3s',
  ],
  [
    'Maven',
    '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS',
    '[ERROR] Tests run: 5, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE',
  ],
  [
    'dotnet test',
    'Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12',
    'Failed!  - Failed:     1, Passed:    11, Skipped:     0',
  ],
  [
    'dotnet build',
    'Build succeeded.\n    0 Warning(s)\n    0 Error(s)',
    'a.cs(3,4): error CS1002: ; expected\n    1 Error(s)',
  ],
  [
    'ExUnit',
    'Finished in 0.1 seconds\n12 tests, 0 failures',
    'Finished in 0.1 seconds\n3 doctests, 12 tests, 1 failure',
  ],
  ['PHPUnit', 'OK (12 tests, 30 assertions)', 'FAILURES!\nTests: 12, Assertions: 30, Failures: 1.'],
  ['PHPUnit with errors', 'OK (1 test, 1 assertion)', 'ERRORS!\nTests: 12, Assertions: 30, Errors: 1.'],
  ['Pest', '  Tests:    12 passed (30 assertions)', '  Tests:    1 failed, 11 passed (30 assertions)'],
  ['PHPStan', ' [OK] No errors', ' [ERROR] Found 3 errors'],
  ['RSpec', '12 examples, 0 failures', '12 examples, 1 failure'],
  [
    'minitest',
    '5 runs, 9 assertions, 0 failures, 0 errors, 0 skips',
    '5 runs, 9 assertions, 1 failures, 0 errors, 0 skips',
  ],
  ['RuboCop', '12 files inspected, no offenses detected', '12 files inspected, 3 offenses detected'],
  [
    'XCTest',
    'Executed 12 tests, with 0 failures (0 unexpected) in 0.1 seconds',
    'Executed 12 tests, with 1 failure (0 unexpected) in 0.1 seconds',
  ],
  [
    'Swift Testing',
    '✔ Test run with 5 tests passed after 0.1 seconds.',
    '✘ Test run with 5 tests failed after 0.1 seconds with 1 issue.',
  ],
  ['swift build', 'Build complete! (3.1s)', 'a.swift:3:4: error: cannot find x in scope'],
  [
    'Go',
    'ok  \tapp/api\t0.4s\n?   \tapp/cmd\t[no test files]',
    '--- FAIL: TestA (0.01s)\nFAIL\tapp/api\t0.4s\nFAIL',
  ],
  ['Cargo', 'test result: ok. 12 passed; 0 failed; 0 ignored', 'test result: FAILED. 11 passed; 1 failed'],
  [
    'cargo check',
    '    Finished `dev` profile [unoptimized] target(s) in 0.1s',
    'error: could not compile `app` (lib) due to 1 previous error',
  ],
  ['pytest', '===== 12 passed, 1 warning in 0.3s =====', '===== 1 failed, 11 passed in 0.3s ====='],
  ['pytest that cannot collect', '12 passed in 1s', 'ERROR tests/a.py\n===== 2 errors in 0.30s ====='],
  ['unittest', 'Ran 12 tests in 0.1s\n\nOK', 'Ran 12 tests in 0.1s\n\nFAILED (failures=1)'],
  [
    'Vitest',
    ' Test Files  3 passed (3)\n      Tests  12 passed (12)',
    ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 11 passed (12)',
  ],
  [
    'Jest',
    'Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total',
    'Test Suites: 1 failed, 2 passed, 3 total',
  ],
  ['Mocha', '  12 passing (30ms)', '  11 passing (30ms)\n  1 failing'],
  ['node:test', 'ℹ pass 12\nℹ fail 0', 'ℹ pass 11\nℹ fail 1'],
  ['Flutter', '00:01 +1: loading a\r00:03 +77: All tests passed!', '00:03 +76 -1: Some tests failed.'],
  ['ESLint', '✖ 2 problems (0 errors, 2 warnings)', '✖ 3 problems (1 error, 0 warnings)'],
  [
    'Turborepo',
    'web:test: Tests  3 passed (3)\n Tasks:    2 successful, 2 total',
    'web:test: Tests  1 failed | 2 passed (3)',
  ],
  ['Next.js', '○  (Static)   prerendered as static content', 'Failed to compile.'],
  ['npm', '> app@1.0.0 build\nvite v5 built in 3s', '> app@1.0.0 lint\nnpm error command failed'],
  [
    'markdownlint',
    'Summary: 0 error(s)',
    'docs/a.mdx:119:91 error MD060/table-column-style Table column style',
  ],
  ['colours', '\u001b[32m 12 passed\u001b[39m', '\u001b[31m1 failed\u001b[39m'],
]

describe('law: the last lines of a check say how it ended', () => {
  test.each(OUTPUTS)('%s', (_, passed, failed) => {
    expect([verdictOf(passed), verdictOf(failed)]).toEqual(['passed', 'failed'])
    // What the program under test prints before does not change it.
    const noise = 'Error: expected\nfatal: no tree\n'
    expect([verdictOf(noise + passed), verdictOf(noise + failed)]).toEqual(['passed', 'failed'])
  })

  test.each(['', 'done', 'Compiling app v0.1.0', 'reading 3 errors.ts files'])(
    '%j says nothing',
    (output) => {
      expect(verdictOf(output)).toBe('unknown')
    },
  )
})
