import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { matchingLines } from '../../../src/store/record/matching-lines.ts'
import { tempFolder } from '../sandbox.ts'

let file: string
beforeEach(() => {
  file = join(tempFolder(), 'messages.jsonl')
})

function found(text: string, words: string[]): string[] {
  writeFileSync(file, text)
  return [...matchingLines(dirname(file), basename(file), words)]
}

test('law: exactly the lines that hold every word, in their order, case ignored', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'ß', 'İ', '日', ' ') })
  fc.assert(
    fc.property(
      fc.array(letters),
      fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'ß', '日')),
      (lines, words) => {
        const expected = lines.filter((line) => words.every((word) => line.toLowerCase().includes(word)))
        // Where there are no words an empty line holds them all; nobody asks for empty lines.
        const some = (line: string) => line !== ''
        expect(found(lines.join('\n'), words).filter(some)).toEqual(expected.filter(some))
      },
    ),
  )
})

test('lines longer than what is read at once, characters across its edge, and a last line without a break', () => {
  const long = `${'日本語'.repeat(100_000)} Needle`
  expect(found(`x needle\n${long}\nnothing\nneedle at the end`, ['needle'])).toEqual([
    'x needle',
    long,
    'needle at the end',
  ])
})

test('a missing file has none; a symlink is refused', () => {
  expect([...matchingLines(dirname(file), `${basename(file)}.missing`, ['a'])]).toEqual([])
  symlinkSync(file, `${file}.link`)
  expect(() => [...matchingLines(dirname(file), `${basename(file)}.link`, ['a'])]).toThrow(
    expect.objectContaining({ code: 'unsafe-path' }),
  )
})
