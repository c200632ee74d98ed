import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { eachMatchingLine, linesAt } from '../../../src/store/record/matching-lines.ts'
import { plain } from '../../../src/text/without-accents.ts'
import { tempFolder } from '../sandbox.ts'

let file: string
beforeEach(() => {
  file = join(tempFolder(), 'messages.jsonl')
})

function found(text: string, pattern: RegExp) {
  writeFileSync(file, text)
  const lines: [number, string][] = []
  const looked = eachMatchingLine(dirname(file), basename(file), pattern, (line, number) =>
    lines.push([number, line]),
  )
  return { lines, looked }
}

/** Signs beyond ASCII may look otherwise where nobody looks for them. */
const words = (line: string) => `${line.match(/[a-z日]+/gi)}`

test('law: exactly the lines that match are reported, each once, by their numbers, and all lines are counted', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '日', ' ', '’', '😀') })
  fc.assert(
    fc.property(fc.array(letters), fc.constantFrom('a', 'b', 'ab', 'e', '日'), (lines, word) => {
      const { lines: told, looked } = found(lines.map((line) => `${line}\n`).join(''), new RegExp(word, 'gi'))
      const expected = lines.flatMap((line, number): [number, string][] =>
        plain(line).toLowerCase().includes(word) ? [[number, words(plain(line))]] : [],
      )
      expect(told.map(([number, line]) => [number, words(line)])).toEqual(expected)
      expect(looked).toBe(lines.length)
      const numbers = new Set(told.map(([number]) => number))
      const whole = linesAt(dirname(file), basename(file), numbers)
      expect([...whole]).toEqual(told.map(([number]) => [number, lines[number]]))
    }),
  )
})

test('lines longer than a piece, characters across its edge, and a last line without a line break are found', () => {
  const long = `${'日本語'.repeat(100_000)} Needle`
  const { lines, looked } = found(`x needle\n${long}\nnothing\nneedle at the end`, /needle/gi)
  expect(lines).toEqual([
    [0, 'x needle'],
    [1, long],
    [3, 'needle at the end'],
  ])
  expect(looked).toBe(4)
})

test('signs beyond ASCII are found with `signs`', () => {
  writeFileSync(file, 'a → b\nc\n')
  const lines: string[] = []
  const looking = { signs: true }
  eachMatchingLine(dirname(file), basename(file), /→/g, (line) => lines.push(line), looking)
  expect(lines).toEqual(['a → b'])
})

test('letters that another program wrote as escapes are found; escapes of line breaks stay as they are', () => {
  const { lines } = found('{"content":"Schl\\u00fcssel\\u000a\\u2028x"}\n', /schlussel/gi)
  expect(lines).toEqual([[0, '{"content":"Schlussel\\u000a\\u2028x"}']])
})

test('a missing file has no lines; a symlink is refused', () => {
  const none = () => expect.unreachable()
  expect(eachMatchingLine(dirname(file), `${basename(file)}.missing`, /a/g, none)).toBe(0)
  symlinkSync(file, `${file}.link`)
  expect(() => eachMatchingLine(dirname(file), `${basename(file)}.link`, /a/g, none)).toThrow(
    expect.objectContaining({ code: 'unsafe-path' }),
  )
})
