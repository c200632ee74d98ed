import { describe, expect, test } from 'vitest'
import { answersIn } from '../../../src/context/render.ts'
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

describe('S4-P3-15: a command that failed is not in the way any more', () => {
  test.each([
    ['+ npm test -- -u → Tests  42 passed (42)'],
    ['+ npx vitest run → Tests  42 passed (42)'],
    ['+ npm run test 2>&1 | tail -20 → Tests  42 passed (42)'],
    ['+ cd app && CI=1 npm test --silent → ok'],
    ['+ npm run build && npm test → built in 3 s'],
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
    ['- node scripts/seed.js → Error: ECONNREFUSED', '+ DB=local node scripts/seed.js → seeded'],
    ['- npm run build → error TS2307', 'The build succeeds again.'],
    ['- npm run lint && npm test → 3 problems', '+ npm run lint', '+ npm test → 12 passed'],
    ['- ./scripts/deploy.sh → denied', '+ ./scripts/deploy.sh --region eu → deployed'],
  ])('%j, then %j', (...talk) => {
    expect(inTheWay(...talk)).toEqual([])
  })
})

describe('S4-P3-15: and it still is', () => {
  test.each([
    // Less than it, or something else.
    ['+ npx vitest run test/parser.test.ts → Tests  3 passed (3)'],
    ['+ npm test -- -t "parses dates" → Tests  1 passed'],
    ['+ npm run test:unit → Tests  12 passed'],
    ['+ npm run build → built'],
    ['+ cargo test → ok'],
    ['+ npm test -- --help → Usage'],
    // The shell's word is that of `tail`, or of nobody.
    ['+ npm test 2>&1 | tail -5 → Tests  1 failed | 41 passed'],
    ['+ npm test; echo done → done'],
    ['+ npm test > log.txt 2>&1 || true'],
    // A client that does not say that it failed.
    ['+ npm test -- -u → Tests  1 failed | 41 passed\nExit Code: 1'],
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
    ['- git push origin main → rejected', '+ git push origin feature → done'],
    ['- curl "https://a.test" → refused', '+ curl "https://b.test" → 200'],
    ['- pytest → 1 failed', '+ pytest tests/test_api.py → 12 passed'],
    ['- npm install sharp → node-gyp failed', '+ npm install left-pad → added 1'],
    ['- git merge main → conflict', '+ git merge --abort'],
    ['- cat missing.txt → No such file', '+ cat other.txt → text'],
  ])('%j, then %j', (...talk) => {
    expect(inTheWay(...talk)).toHaveLength(1)
  })

  test('what worked before it failed, or failed again, tells nothing', () => {
    expect(inTheWay('+ npx vitest run → 42 passed', 'All tests pass.', TESTS)).toEqual(LEFT)
    expect(inTheWay(TESTS, '+ npx vitest run → 42 passed', TESTS)).toEqual(LEFT)
  })

  test('a huge command is no job to look into', () => {
    const huge = `cat > x <<EOF\n${'npm test && '.repeat(200_000)}`
    expect(inTheWay(`- ${huge} → denied`, TESTS)).toHaveLength(2)
  })
})
