import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { expect, test } from 'vitest'
import { documentAt, PROMISING } from './helpers/documents.ts'
import { LONG_FILES } from './helpers/long-files.ts'

const ROOT = join(import.meta.dirname, '..')

/** Rows of docs/promises.md: what a document says, and the tests that hold it; undefined where it promises nothing. */
const ROWS = PROMISING.flatMap((document) => {
  const [, promises = '', others = ''] =
    new RegExp(
      `^## ${document}\n([\\s\\S]*?)^### Promises nothing\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`,
      'm',
    ).exec(documentAt('docs/promises.md')) ?? []
  return [
    ...rowsOf(promises).map(([quote, tests]) => ({ document, quote: quote!, tests: tests!.split('<br>') })),
    ...[...others.matchAll(/^- (.*)$/gm)].map(([, quote]) => ({ document, quote: quote!, tests: undefined })),
  ]
})

test('every quote of docs/promises.md is in its document', () => {
  expect(ROWS.length).toBeGreaterThan(300)
  const lost = ROWS.filter(({ document, quote }) => !sentencesOf(document).some((one) => one.includes(quote)))
  expect(
    lost.map(({ document, quote }) => `${document}: ${quote}`),
    'a sentence has changed: see whether its tests still hold it, and change the quote in docs/promises.md',
  ).toEqual([])
})

test('every sentence of these documents has its test, or promises nothing', () => {
  for (const document of PROMISING) {
    const quotes = ROWS.filter((row) => row.document === document).map(({ quote }) => quote)
    const sentences = sentencesOf(document)
    expect(sentences.length).toBeGreaterThan(2)
    expect(
      sentences.filter((sentence) => !quotes.some((quote) => sentence.includes(quote))),
      `a new sentence: add a row to the section "${document}" of docs/promises.md. A changed one: change the quote of its row`,
    ).toEqual([])
  }
})

test('every test that docs/promises.md names is there, by its file and its whole title', () => {
  const named = ROWS.flatMap(({ tests }) => tests ?? [])
  expect(named.length).toBeGreaterThan(300)
  const missing = named.filter((name) => {
    const [, file, title] = /^`([^`]+)`: (.+)$/.exec(name) ?? []
    if (file === undefined || title === undefined || !existsSync(join(ROOT, file))) return true
    const text = documentAt(file)
    const isTest = file.endsWith('.test.ts')
    return !(isTest
      ? ["'", '"', '`'].some((sign) => text.includes(sign + title + sign))
      : text.includes(title))
  })
  expect(
    [...new Set(missing)],
    'a test was renamed, moved or removed: change the rows of docs/promises.md that name it',
  ).toEqual([])
})

test('a test of every promise runs in CI, not only in `npm run test:long`', () => {
  const longFiles = fastGlob.sync([...LONG_FILES], { cwd: ROOT })
  expect(longFiles.length).toBeGreaterThan(9)
  const isLong = (name: string) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(name) ?? []
    const isMarked = new RegExp(`inLongRun\\(\\s*['"\`]${escaped(title)}['"\`]`)
    return longFiles.includes(file) || isMarked.test(documentAt(file))
  }
  expect(ROWS.filter(({ tests }) => tests?.every(isLong)).map(({ quote }) => quote)).toEqual([])
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The cells of a table's rows, without its head. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row]) => row!.split(/ (?<!\\)\| /).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .filter(([first]) => first !== 'sentence' && !/^[-: ]+$/.test(first!))
}

/** Sentences, items and cells of a document, without code, headings and the heads of tables. */
function sentencesOf(document: string): string[] {
  return documentAt(document)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^\|.*\n(?=\|[\s|:-]*$)/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !/^[|\s:-]*$/.test(line))
    .flatMap((line) => line.trim().split(/(?<=[.!?])\s+(?=[A-Z`*"([])/))
}
