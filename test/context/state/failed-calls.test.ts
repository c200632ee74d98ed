import { describe, expect, test } from 'vitest'
import { answersIn } from '../../../src/context/rendering/answers.ts'
import { failedCalls } from '../../../src/context/state/failed-calls.ts'
import type { Message } from '../../../src/session/schema.ts'
import { said } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'

/** `+ command` worked, `- command` failed, each with its output behind `→`; anything else was said. */
function inTheWay(...talk: string[]): string[] {
  const live = talk.flatMap((line, n): Message[] => {
    const [, sign, command, output = ''] = /^([+-]) ([^→]*?)(?: → ([\s\S]*))?$/.exec(line) ?? []
    if (command === undefined) return [said(`m${n}`, { role: 'assistant', content: line })]
    const call = { id: `c${n}`, name: 'Bash', arguments: { command, description: 'Runs it' } }
    const failed = sign === '-' ? { is_error: true } : {}
    return [
      said(`a${n}`, { role: 'assistant', content: '', tool_calls: [call] }),
      said(`r${n}`, { role: 'tool', content: output, tool_call_id: call.id, ...failed }),
    ]
  })
  return failedCalls({ live, answers: answersIn(live, TOOLS) })
}

const TESTS = '- npm test → Tests  2 failed | 40 passed'
const LEFT = ['Bash npm test: Tests 2 failed | 40 passed']

describe('S4-P3-15: a command that failed is no longer in the way', () => {
  test.each([
    ['+ npm test -- -u → Tests  42 passed (42)'],
    ['+ npx vitest run → Tests  42 passed (42)'],
    ['+ npm run test 2>&1 | tail -20 → Tests  42 passed (42)'],
    ['+ cd app && CI=1 npm test --silent → ok'],
    ['+ npm run build && npm test → built in 3 s'],
    // Nobody knows how it went then, so nobody knows whether the job still fails.
    ['+ npm test; echo done → done'],
    ['+ npm test > log.txt 2>&1 || true'],
    ['Fixed the mock. All 42 tests pass now.'],
    ['The bug was in the parser, and all tests are passing.'],
    ['Great, the test suite is green again.'],
    ['Everything works now.'],
    ['0 errors, the tests pass.'],
  ])('npm test, then %j', (line) => {
    expect(inTheWay(TESTS, line)).toEqual([])
  })

  test.each([
    ['- git push → fatal: no upstream branch', '+ git push -u origin main → done'],
    ['- pytest tests/test_api.py → 1 failed', '+ python -m pytest → 12 passed'],
    ['- cargo build → error[E0308]: mismatched types', '+ cargo build --release → Finished release'],
    ['- go test ./api → FAIL api', '+ go test ./... → ok api'],
    // A test that ran has compiled what it tests.
    ['- go vet ./api → undefined: x', '+ go test -run TestX ./api → ok api'],
    ['- cargo check → error[E0308]: mismatched types', '+ cargo test → 3 passed'],
    ['- node scripts/seed.js → Error: ECONNREFUSED', '+ DB=local node scripts/seed.js → seeded'],
    ['- npm run build → error TS2307', 'The build succeeds again.'],
    ['- npm run lint && npm test → 3 problems', '+ npm run lint', '+ npm test → 12 passed'],
    [
      '- git merge origin/main → CONFLICT in a.ts',
      '+ git add -A && git commit --no-edit → [main 1a2b3c4] Merge',
    ],
    ['- git rebase main → CONFLICT in a.ts', '+ git rebase --continue → Successfully rebased'],
    ['- ./scripts/deploy.sh → denied', '+ ./scripts/deploy.sh --region eu → deployed'],
  ])('%j, then %j', (...talk) => {
    expect(inTheWay(...talk)).toEqual([])
  })
})

describe('S4-P3-15: a command that failed is still in the way', () => {
  test.each([
    // Less than it, or something else.
    ['+ npx vitest run test/parser.test.ts → Tests  3 passed (3)'],
    ['+ npm test -- -t "parses dates" → Tests  1 passed'],
    ['+ npm run test:unit → Tests  12 passed'],
    ['+ npm run build → built'],
    ['+ cargo test → ok'],
    ['+ npm test -- --help → Usage'],
    // Nobody said that it works.
    ['The tests should pass now.'],
    ['Once all tests pass, I will push.'],
    ['Do all tests pass?'],
    ['The parser tests pass now.'],
    ['Tests for the parser pass.'],
    ['The unit tests pass, but two others fail.'],
    ["The tests don't pass yet."],
    ['Only 40 tests pass.'],
    ['The build works.'],
    ['Let me make sure all tests pass.'],
    ['I fixed the import.'],
  ])('npm test, then %j', (line) => {
    expect(inTheWay(TESTS, line)).toEqual(LEFT)
  })

  test.each([
    ['- npm run lint && npm test → 3 problems', '+ npm test → 12 passed'],
    ['- go vet ./api → undefined: x', '+ go test ./web → ok web'],
    ['- go vet ./api → undefined: x', '- go test ./api → undefined: x'],
    ['- git push origin main → rejected', '+ git push origin feature → done'],
    ['- pytest → 1 failed', '+ pytest tests/test_api.py → 12 passed'],
    ['- git merge main → conflict', '+ git merge --abort'],
    ['- git merge main → conflict', '+ git merge other → done'],
    ['- git rebase main → conflict', '+ git commit -m x → done'],
    ['- node scripts/build.js → no entry', '+ node scripts/seed.js → seeded'],
  ])('%j, then %j', (...talk) => {
    expect(inTheWay(...talk)).toHaveLength(1)
  })

  test('of two failed runs of a job the later one counts, whether the shell says that it failed or not', () => {
    const piped = '+ npm test 2>&1 | tail -5 → Tests  1 failed | 41 passed'
    expect(inTheWay(TESTS, piped)).toEqual(['Bash npm test 2>&1 | tail -5: Tests 1 failed | 41 passed'])
    const update = '+ npm test -- -u → Tests  1 failed | 41 passed\nExit Code: 1'
    expect(inTheWay(TESTS, update)).toEqual(['Bash npm test -- -u: Tests 1 failed | 41 passed'])
    expect(inTheWay('- npx vitest run a.test.ts → 1 failed', TESTS)).toEqual(LEFT)
    expect(inTheWay(TESTS, '- npx vitest run a.test.ts → 1 failed')).toHaveLength(2)
  })

  test('success before the failure, or before another failure, does not count', () => {
    expect(inTheWay('+ npx vitest run → 42 passed', 'All tests pass.', TESTS)).toEqual(LEFT)
    expect(inTheWay(TESTS, '+ npx vitest run → 42 passed', TESTS)).toEqual(LEFT)
  })

  test('a huge command is not searched for jobs', () => {
    const huge = `cat > x <<EOF\n${'npm test && '.repeat(200_000)}`
    expect(inTheWay(`- ${huge} → denied`, TESTS)).toEqual(LEFT)
  })
})

describe('S4-P3-15: in the way are builds, tests, checks, commits and the like', () => {
  test.each([
    ['- mise run test → FAIL x_test.go'],
    ['- make → Error 2'],
    ['- npx tsc --noEmit → error TS2307'],
    ['- cargo clippy → error: unused'],
    ['- node scripts/build.js → no entry'],
    ['- git add -A && git commit -m "x" → pre-commit hook failed'],
    ['- git push → rejected'],
    ['- git rebase main → CONFLICT in a.ts'],
    ['- ./scripts/deploy.sh → denied'],
    ['- terraform apply → Error: no such bucket'],
    ['+ npm run build 2>&1 | tail -3 → 2 errors'],
  ])('%j', (line) => {
    expect(inTheWay(line)).toHaveLength(1)
  })

  test.each([
    ['- cat missing.txt → No such file'],
    ['- grep -r "npm test" docs → '],
    ['- ls test build → No such file'],
    ['- find test -name x → No such file'],
    ['- test -f build/app.js → '],
    ['- type make → not found'],
    ['- rm -r build → No such file'],
    ['- git checkout feature → did not match'],
    ['- git merge-base a b → fatal: not a valid name'],
    ['- gh release view v1 → release not found'],
    ['- npm install sharp → node-gyp failed'],
    ['- curl "https://a.test" → refused'],
    ['- git commit -m "x" → nothing to commit, working tree clean'],
    ['+ cat build.log → 2 errors'],
    ['The build is broken and the deploy fails.'],
  ])('not %j', (line) => {
    expect(inTheWay(line)).toEqual([])
  })

  test('not a file that cannot be read, nor a failure of another tool', () => {
    const live = [
      ['Read', { file_path: 'test/build.ts' }],
      ['Edit', { file_path: 'test/build.ts', old_string: 'npm test' }],
      ['WebFetch', { url: 'https://build.test' }],
    ].flatMap(([name, given], n): Message[] => [
      said(`a${n}`, { role: 'assistant', tool_calls: [{ id: `c${n}`, name: `${name}`, arguments: given }] }),
      said(`r${n}`, { role: 'tool', content: 'Error: not found', tool_call_id: `c${n}`, is_error: true }),
    ])
    expect(failedCalls({ live, answers: answersIn(live, TOOLS) })).toEqual([])
  })
})
