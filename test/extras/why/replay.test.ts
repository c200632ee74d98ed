import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileEdit } from '../../../src/extras/why/edits.ts'
import { isTrivial, likeness, matchLines } from '../../../src/extras/why/lines.ts'
import { linesWritten, replay } from '../../../src/extras/why/replay.ts'

type Named = FileEdit & { name: string }
const edit = (name: string, before: string, after: string, all = false): Named => ({
  ...{ name, path: '/p', kind: 'parts' as const },
  parts: [{ before, after, all }],
})
const whole = (name: string, text: string): Named => ({ name, path: '/p', kind: 'whole', text })
const names = (before: string[], edits: Named[], after: string[]) =>
  replay(before, edits, after).by.map((one) => one?.name)

const BASE = ['const one = 1', 'const two = 2', 'const three = 3']

describe('edits played over a file', () => {
  test('each line has the edit that wrote it last; those that stayed have none', () => {
    const edits = [edit('a', 'two = 2', 'two = 20\nconst more = 4'), edit('b', 'more = 4', 'more = 5')]
    const after = ['const one = 1', 'const two = 20', 'const more = 5', 'const three = 3']
    expect(names(BASE, edits, after)).toEqual([undefined, 'a', 'b', undefined])
  })

  test('lines that somebody else wrote or changed meanwhile have none', () => {
    const after = ['const zero = 0', 'const one = 1', 'const two = 22', 'const three = 3']
    expect(names(BASE, [edit('a', 'two = 2', 'two = 20')], after)).toEqual(
      BASE.map(() => undefined).concat(undefined),
    )
  })

  test('a text that is replaced wherever it stands, twice in a line too', () => {
    const after = ['let one = 1', 'let two = let', 'let three = 3']
    const before = ['const one = 1', 'const two = const', 'const three = 3']
    expect(names(before, [edit('a', 'const', 'let', true)], after)).toEqual(['a', 'a', 'a'])
  })

  test('a text that goes takes the line break behind it where the tool does so, and may join two lines', () => {
    const gone = (before: string): Named => ({
      ...{ name: 'a', path: '/p', kind: 'parts' as const },
      parts: [{ before, after: '', all: false, takesBreak: true }],
    })
    expect(names(BASE, [gone('const two = 2')], ['const one = 1', 'const three = 3'])).toEqual([
      undefined,
      undefined,
    ])
    expect(names(BASE, [gone('\nconst two = 2')], ['const one = 1const three = 3'])).toEqual(['a'])
    expect(names(BASE, [gone(' = 2')], ['const one = 1', 'const twoconst three = 3'])).toEqual([
      undefined,
      'a',
    ])
  })

  test('a file that is written whole keeps who wrote the lines that it had already', () => {
    const edits = [whole('a', `${BASE.join('\n')}\nconst four = 4\n`)]
    expect(names(BASE, edits, [...BASE, 'const four = 4'])).toEqual([undefined, undefined, undefined, 'a'])
  })

  test('what a look at the file showed was there before the edit that follows', () => {
    const seen: Named = { name: 's', path: '/p', kind: 'seen', text: 'const hand = 0\n' }
    const after = ['const hand = 0', 'const four = 4']
    expect(names([], [seen, whole('a', `${after.join('\n')}\n`)], after)).toEqual([undefined, 'a'])
  })

  test('an edit that does not find its place is told, with the whole lines that it wrote', () => {
    const lost = edit('a', 'not there', 'not there\nconst five = 5\n}')
    expect(replay(BASE, [lost], BASE)).toMatchObject({ by: [undefined, undefined, undefined], loose: [lost] })
    expect(linesWritten(lost)).toEqual(['const five = 5'])
  })

  test('how many lines the outcome and the file do not share is counted', () => {
    expect(replay(BASE, [], BASE).unlike).toBe(0)
    expect(replay(BASE, [edit('a', 'two = 2', 'two = 20')], BASE).unlike).toBe(2)
    expect(replay(BASE, [edit('a', 'two = 2', 'two = 2\nconst more = 4')], BASE).unlike).toBe(1)
  })

  test('a brace counts within what was written, not at its edge', () => {
    const after = [
      'const one = 1',
      'if (one) {',
      '  call(two)',
      '}',
      'call(three)',
      '}',
      'const two = 2',
      'const three = 3',
    ]
    const edits = [edit('a', 'const one = 1\n', `${after.slice(0, 6).join('\n')}\n`)]
    const a = 'a'
    expect(names(BASE, edits, after)).toEqual([undefined, a, a, a, a, undefined, undefined, undefined])
  })
})

const TEXT = fc.array(fc.constantFrom('alpha()', 'beta()', 'gamma()', '}', '', 'delta()'), { maxLength: 14 })

describe('lines that two texts have in common', () => {
  test('law: what is matched is the same line, and keeps its order; a text matches itself whole', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (before, after) => {
        const matched = matchLines(before, after)
        const kept = matched.filter((at) => at !== -1)
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
        for (const [at, from] of matched.entries()) if (from !== -1) expect(before[from]).toBe(after[at])
        expect(matchLines(before, before)).toEqual(before.map((_, at) => at))
      }),
    )
  })

  test('law: lines that are put in leave all others matched', () => {
    fc.assert(
      fc.property(TEXT, fc.nat(), (before, place) => {
        const at = place % (before.length + 1)
        const after = [...before.slice(0, at), 'a new line', ...before.slice(at)]
        expect(matchLines(before, after).filter((from) => from !== -1)).toHaveLength(before.length)
      }),
    )
  })

  test('a long text without any line of its own costs no square of its length', () => {
    const many = (line: string) => Array.from({ length: 200_000 }, (_, at) => `${line}${at % 2}`)
    expect(matchLines(many('a'), [...many('b'), ...many('a')].reverse())).toHaveLength(400_000)
  })

  test('lines that stand everywhere say nothing', () => {
    expect(['}', '', '  });', 'end', 'else {', '---', 'return'].filter((line) => !isTrivial(line))).toEqual(
      [],
    )
    expect(['const a = 1', '日本語の行', 'return total'].filter(isTrivial)).toEqual([])
  })
})

test('how much of two texts is the same is a part of the longer one, and indenting changes nothing', () => {
  expect(likeness(['  one()', 'two()'], ['\tone()', 'two()'])).toBe(1)
  expect(likeness(['one()'], ['one()', 'two()'])).toBe(0.5)
  expect(likeness(['one()'], ['two()'])).toBe(0)
  expect(likeness([], [])).toBe(0)
})
