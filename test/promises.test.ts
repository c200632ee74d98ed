import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, test } from 'vitest'
// @ts-expect-error: the scripts have no types
import { readTable } from '../scripts/acceptance/table.mjs'
// @ts-expect-error: the scripts have no types
import { match, promisesIn, sentencesOf, tagsOf } from '../scripts/promises.mjs'
import { documentAt } from './helpers/documents.ts'
import { LONG_FILES } from './helpers/long-files.ts'

type Held = { page: string; sentence: string; nothing: boolean; tags: { file: string; kind: string }[] }

const ROOT = join(import.meta.dirname, '..')
const { held, faults }: { held: Held[]; faults: string[] } = promisesIn(ROOT)

// promise: Each of these sentences has its tests
test('every sentence of these pages has a test or promises nothing, and every tag of a test has its sentence', () => {
  expect(held.length).toBeGreaterThan(400)
  expect(
    faults,
    'put `// promise: words of the sentence` above the test that holds it. A changed sentence: see whether its tests still hold it',
  ).toEqual([])
})

test('a test of every promise runs in CI, not only in `npm run test:long`', () => {
  const longFiles = fastGlob.sync([...LONG_FILES], { cwd: ROOT })
  expect(longFiles.length).toBeGreaterThan(9)
  const isLong = ({ file, kind }: Held['tags'][number]) => kind === 'inLongRun' || longFiles.includes(file)
  expect(
    held.filter(({ tags }) => tags.length > 0 && tags.every(isLong)).map(({ sentence }) => sentence),
  ).toEqual([])
})

test('ids of requirements stand in the titles of tests, not in comments of the source', () => {
  const ids = readTable(documentAt('test/acceptance.txt')).map(({ id }: { id: string }) => id)
  const named = new RegExp(`\\b(?:${ids.join('|')})\\b`)
  const files = fastGlob.sync('src/**/*.{ts,md}', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((path) => named.test(documentAt(path)))).toEqual([])
})

describe('what is found', () => {
  const page =
    '# Head\n\nIt keeps all. It asks first.\n\n| what | why |\n| --- | --- |\n| a cell | so |\n\n```\ncode\n```\n'
  const sentences = sentencesOf(page).map((sentence: string) => ({ page: 'a.md', sentence }))
  const tests = (text: string) => tagsOf(text).map((tag: object) => ({ file: 'a.test.ts', ...tag }))
  const found = (text: string, nothing = ['a cell', 'asks']) => match(sentences, tests(text), nothing).faults

  test('sentences and rows are held one by one, by a test, a group or a table of tests', () => {
    expect(sentences).toHaveLength(3)
    for (const below of [
      "test('t', () => {})",
      "describe('t', () => {})",
      "test.each<[string]>([\n  ['x'],\n])('t', () => {})",
      "inLongRun(\n  't',\n() => {})",
    ]) {
      expect(tests(`// promise: keeps all\n// why\n${below}\n`)).toMatchObject([
        { words: 'keeps all', title: 't' },
      ])
      expect(found(`// promise: keeps all\n${below}\n`)).toEqual([])
    }
  })

  test.each([
    [
      'a sentence without a test',
      "test('t', () => {})\n",
      ['a.md: no test has a tag with words of: It keeps all.'],
    ],
    [
      'a tag whose sentence is gone',
      "// promise: keeps all\n// promise: keeps most\ntest('t', () => {})\n",
      ['a.test.ts: no page says so any more: keeps most'],
    ],
    [
      'a tag that fits two sentences',
      "// promise: keeps all\n// promise: It\ntest('t', () => {})\n",
      ['a.test.ts: fits several sentences of a page: It'],
    ],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expect.arrayContaining(expected))
  })

  test.each(['', "test.skip('t', () => {})\n", "test.todo('t')\n", 'const a = 1\n'])(
    'a tag above what does not run: %j',
    (below) => {
      expect(found(`// promise: keeps all\n${below}\ntest('other', () => {})\n`)).toEqual([
        'a.test.ts: above no test that runs: keeps all',
      ])
    },
  )

  test('words listed as promising nothing that are gone, or have a test', () => {
    const text = "// promise: keeps all\ntest('t', () => {})\n"
    expect(found(text, ['a cell', 'asks', 'gone'])).toEqual([
      'scripts/promises.mjs: no page says so any more: gone',
    ])
    expect(found(text, ['a cell', 'asks', 'It keeps'])).toEqual([
      'a.md: has a test, and is listed as promising nothing: It keeps all.',
    ])
  })
})
