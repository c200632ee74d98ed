import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONGEST } from '../helpers/longest-first.ts'

/** `npm run acceptance` in a small project of its own, whose tests vitest itself has run. */

const ROOT = join(import.meta.dirname, '..', '..')
/** Where `vitest` is found from. */
const FOLDER = join(ROOT, 'test-results', `acceptance-${process.pid}`)
const IDS = Array.from({ length: 12 }, (_, n) => `E-${n + 1}`)

const TESTS = `
import { describe, expect, test } from 'vitest'
test('E-1 passes', () => {})
test.skip('E-2 is skipped', () => {})
test('E-3 fails', () => expect(1).toBe(2))
// test('E-4 is a comment', () => {})
test.todo('E-5 is to do')
describe('E-6 a group', () => test('whose test passes', () => {}))
describe.skip('E-7 a group that is left out', () => test('E-7 too', () => {}))
test.each(['E-8'])('%s of a table passes', () => {})
let tries = 0
test('E-9 passes at its second try', { retry: 1 }, () => expect(++tries).toBe(2))
test('E-10..12 a range', () => {})
`

function table(rows: string[]): void {
  const lines = rows.map((row) => (row.includes(' ') ? row : `${row} what ${row} asks`))
  writeFileSync(join(FOLDER, 'test/acceptance.txt'), `## Rows\n${lines.join('\n')}\n`)
}

function run(tests: string): void {
  writeFileSync(join(FOLDER, 'some.test.ts'), tests)
  const reporter = ['--reporter=json', '--outputFile.json=test-results/unit.json']
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  spawnSync(process.execPath, [vitest, 'run', '--root', '.', ...reporter], { cwd: FOLDER })
}

function acceptance(...args: string[]): { code: number | null; output: string } {
  const done = spawnSync(process.execPath, [join(ROOT, 'scripts/acceptance.mjs'), ...args], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  return { code: done.status, output: done.stdout + done.stderr }
}

/** As CI counts and names them. */
function inCI(): { secondTries: string[]; failures: string[] } {
  const script = `import { failuresOf, readResults } from ${JSON.stringify(join(ROOT, 'scripts/test-results.mjs'))}
    const results = readResults('test-results/unit.json')
    const secondTries = results.tests.filter((one) => one.secondTry).map(({ titles }) => titles.join())
    console.log(JSON.stringify({ secondTries, failures: failuresOf(results) }))`
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  return JSON.parse(done.stdout)
}

const missing = (output: string) => [...output.matchAll(/^✗ (\S+)/gm)].map(([, id]) => id)

beforeAll(() => {
  for (const name of ['test', 'test-results']) mkdirSync(join(FOLDER, name), { recursive: true })
  writeFileSync(join(FOLDER, 'vitest.config.mjs'), 'export default {}')
})
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

describe('npm run acceptance', () => {
  test('a row is proved by a test that ran and passed; a skipped one, a failed one, a comment prove nothing', () => {
    table(IDS)
    run(TESTS)
    const { code, output } = acceptance('--missing')
    expect(missing(output)).toEqual(['E-2', 'E-3', 'E-4', 'E-5', 'E-7'])
    expect(code).toBe(1)
    expect(output).toMatch(/^test-results\/unit\.json: 5 tests passed in 1 files, 0 min ago/m)
    expect(output).toContain('test-results/e2e.json is not there: npm run test:e2e makes it')
    expect(output).toContain('12 rows: 12 in, 0 declined, 0 later. 7 of the 12 in are proved')
    const { secondTries, failures } = inCI()
    expect(secondTries).toEqual(['E-9 passes at its second try'])
    expect(failures).toEqual([
      expect.stringMatching(/^some\.test\.ts › E-3 fails\n {2}AssertionError: expected 1 to be 2/),
      expect.stringMatching(
        /^some\.test\.ts › E-9 passes at its second try\n {2}AssertionError: expected 1 to be 2/,
      ),
    ])
  })

  test('all is well where every row that is in is proved, whatever is declined or later', () => {
    table(['E-1 x | declined: nobody wants it', 'E-2 x | later: soon', 'E-6'])
    run(
      "import { describe, test } from 'vitest'\ndescribe('E-6 a group', () => test('whose test passes', () => {}))",
    )
    expect(acceptance('--missing').code).toBe(0)
    expect(acceptance().output).toMatch(/^✓ E-6 .*\n {12}some\.test\.ts: E-6 a group › whose test passes$/m)
  })

  test('a line with two ids needs a test of each', () => {
    table(['E-1 E-2 both ask this'])
    run("import { test } from 'vitest'\ntest('E-1 one', () => {})")
    expect(missing(acceptance('--missing').output)).toEqual(['E-2'])
  })

  test('an id that is no row, and a title with more than eight, ranges counted whole, fail it', () => {
    table(IDS)
    run("import { test } from 'vitest'\ntest('E-1…E-8 E-99', () => {})\ntest('E-1…E-8, E-9', () => {})")
    const { code, output } = acceptance('--missing')
    expect(code).toBe(1)
    expect(output).toContain('E-99 is not in test/acceptance.txt: some.test.ts: E-1…E-8 E-99')
    expect(output.match(/ids in one title/g)).toHaveLength(1)
    expect(output).toContain('9 ids in one title, at most 8: some.test.ts: E-1…E-8, E-9')
  })

  test('a file of tests that cannot be loaded, and a row that cannot be read, are told', () => {
    table(['E-1'])
    run("import './not-there.ts'\n")
    expect(missing(acceptance('--missing').output)).toEqual(['E-1'])
    expect(inCI().failures).toEqual([expect.stringMatching(/^some\.test\.ts\n.*not-there/)])
    table(['E-1 x | perhaps'])
    expect(acceptance()).toMatchObject({ code: 1, output: expect.stringContaining('cannot read: E-1 x') })
  })
})

test('CI names a file whose set-up failed, though none of its tests did', () => {
  run(
    "import { beforeAll, test } from 'vitest'\nbeforeAll(() => { throw new Error('no lab') })\ntest('a', () => {})",
  )
  expect(inCI().failures).toEqual([expect.stringMatching(/^some\.test\.ts\n.*no lab/)])
})

test('the files that start first are there', () => {
  const paths = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const isThere = (name: string) => paths.some((path) => `/${path}`.endsWith(`/${name}`))
  expect(LONGEST.filter((name) => !isThere(name))).toEqual([])
})
