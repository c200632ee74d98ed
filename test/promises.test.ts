import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Rows of docs/promises.md: what a document says, and the tests that hold it; undefined where it promises nothing. */
const ROWS = ['README.md', 'SECURITY.md'].flatMap((document) => {
  const [, promises = '', others = ''] =
    new RegExp(
      `^## ${document}\n([\\s\\S]*?)^### Promises nothing\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`,
      'm',
    ).exec(read('docs/promises.md')) ?? []
  return [
    ...rowsOf(promises).map(([quote, tests]) => ({ document, quote: quote!, tests: tests!.split('<br>') })),
    ...[...others.matchAll(/^- (.*)$/gm)].map(([, quote]) => ({ document, quote: quote!, tests: undefined })),
  ]
})

test('every quote of docs/promises.md stands in its document', () => {
  expect(ROWS.length).toBeGreaterThan(300)
  const lost = ROWS.filter(({ document, quote }) => !sentencesOf(document).some((one) => one.includes(quote)))
  expect(lost.map(({ document, quote }) => `${document}: ${quote}`)).toEqual([])
})

test('every sentence of both documents has its test, or promises nothing', () => {
  for (const document of ['README.md', 'SECURITY.md']) {
    const quotes = ROWS.filter((row) => row.document === document).map(({ quote }) => quote)
    const sentences = sentencesOf(document)
    expect(sentences.length).toBeGreaterThan(100)
    expect(sentences.filter((sentence) => !quotes.some((quote) => sentence.includes(quote)))).toEqual([])
  }
})

test('every test that docs/promises.md names is there, by its file and its whole title', () => {
  const named = ROWS.flatMap(({ tests }) => tests ?? [])
  expect(named.length).toBeGreaterThan(300)
  const missing = named.filter((name) => {
    const [, file, title] = /^`([^`]+)`: (.+)$/.exec(name) ?? []
    if (file === undefined || title === undefined || !existsSync(join(ROOT, file))) return true
    const text = read(file)
    const isTest = file.endsWith('.test.ts')
    return !(isTest
      ? ["'", '"', '`'].some((sign) => text.includes(sign + title + sign))
      : text.includes(title))
  })
  expect([...new Set(missing)]).toEqual([])
})

/** The cells of a table's rows, without its head. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row]) => row!.split(/ (?<!\\)\| /).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .filter(([first]) => first !== 'sentence' && !/^[-: ]+$/.test(first!))
}

/** Sentences, items and cells of a document, without code, headings and the heads of tables. */
function sentencesOf(document: string): string[] {
  return read(document)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^\|.*\n(?=\|[\s|:-]*$)/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !/^[|\s:-]*$/.test(line))
    .flatMap((line) => line.trim().split(/(?<=[.!?])\s+(?=[A-Z`*"([])/))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
