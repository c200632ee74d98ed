import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileEdit } from '../../../src/extras/why/edits.ts'
import { isTrivial, matchLines } from '../../../src/extras/why/lines.ts'
import { linesWritten, replay } from '../../../src/extras/why/replay.ts'

type Named = FileEdit & { name: string }
const edit = (name: string, before: string, after: string, all = false): Named => ({
  ...{ name, path: '/p', kind: 'parts' as const },
  parts: [{ before, after, all }],
})
const whole = (name: string, text: string): Named => ({ name, path: '/p', kind: 'whole', text })
const names = (before: string[], edits: Named[], after: string[]) =>
  replay(before, edits, after).map((one) => one?.name)

const BASE = ['const one = 1', 'const two = 2', 'const three = 3']

describe('the replay of edits', () => {
  test('each line names the edit that wrote it last; a line that stayed names none', () => {
    const edits = [edit('a', 'two = 2', 'two = 20\nconst more = 4'), edit('b', 'more = 4', 'more = 5')]
    const after = ['const one = 1', 'const two = 20', 'const more = 5', 'const three = 3']
    expect(names(BASE, edits, after)).toEqual([undefined, 'a', 'b', undefined])
  })

  test('a line that another person wrote or changed names none', () => {
    const after = ['const zero = 0', 'const one = 1', 'const two = 22', 'const three = 3']
    expect(names(BASE, [edit('a', 'two = 2', 'two = 20')], after)).toEqual(
      BASE.map(() => undefined).concat(undefined),
    )
  })

  test('an edit can replace every occurrence of a text, also twice in a line', () => {
    const after = ['let one = 1', 'let two = let', 'let three = 3']
    const before = ['const one = 1', 'const two = const', 'const three = 3']
    expect(names(before, [edit('a', 'const', 'let', true)], after)).toEqual(['a', 'a', 'a'])
  })

  test('edits that double a text without end are not replayed, and what they wrote last is known by its text', () => {
    const doubling = Array.from({ length: 60 }, (_, n) => edit(`${n}`, 'word', 'wordword', true))
    const edits = [whole('first', 'word\n'), ...doubling, edit('last', 'not there', 'const last = 1')]
    expect(names([], edits, ['word', 'const last = 1'])).toEqual([undefined, 'last'])
  })

  test('after a hundred million characters, an edit of a part is known only by its text', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(100_000)}`)
    const edits = Array.from({ length: 40 }, (_, n) =>
      edit(`${n}`, `${n} xxxx`, `const two = ${n}\n${n} xxxx`),
    )
    const after = lines.flatMap((line, n) => (n < 40 ? [`const two = ${n}`, line] : [line]))
    expect(names(lines, edits, after).filter((one) => one !== undefined)).toEqual(
      edits.map(({ name }) => name),
    )
  })

  test('an edit that removes a text removes the line break after it if the tool does, and may join two lines', () => {
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

  test('a line that was there before the whole file was written keeps its name', () => {
    const edits = [whole('a', `${BASE.join('\n')}\nconst four = 4\n`)]
    expect(names(BASE, edits, [...BASE, 'const four = 4'])).toEqual([undefined, undefined, undefined, 'a'])
  })

  test('a line that a read shows was there before the edit that follows', () => {
    const seen: Named = { name: 's', path: '/p', kind: 'seen', text: 'const hand = 0\n' }
    const after = ['const hand = 0', 'const four = 4']
    expect(names([], [seen, whole('a', `${after.join('\n')}\n`)], after)).toEqual([undefined, 'a'])
  })

  test('an edit that does not apply names its whole lines by their text, each once', () => {
    const lost = edit('a', 'not there', 'not there\nconst five = 5\n}')
    const after = [...BASE, 'const five = 5', 'const five = 5', '}']
    expect(names(BASE, [lost], after)).toEqual([...BASE.map(() => undefined), 'a', undefined, undefined])
    expect(linesWritten(lost)).toEqual(['const five = 5'])
  })

  test('a line of such an edit names nobody when a later edit or read shows the file without it', () => {
    const lost = edit('a', 'not there', 'not there\nconst five = 5')
    const after = [...BASE, 'const five = 5']
    const seen: Named = { name: 's', path: '/p', kind: 'seen', text: `${BASE.join('\n')}\n` }
    for (const later of [seen, whole('b', seen.text), edit('b', 'const five = 5\nnone', 'none')])
      expect(names(BASE, [lost, later], after)).toEqual(after.map(() => undefined))
  })

  test('a brace is named inside an edit, not at its edge', () => {
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

describe('the lines that two texts have in common', () => {
  test('law: matched lines are equal and keep their order, and a text matches itself', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (before, after) => {
        const matched = matchLines(before, after)
        const kept = matched.filter((at) => at !== -1) as number[]
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
        for (const [at, from] of matched.entries()) if (from !== -1) expect(before[from!]).toBe(after[at])
        expect(matchLines(before, before)).toEqual(before.map((_, at) => at))
      }),
    )
  })

  test('law: an inserted line leaves all others matched', () => {
    fc.assert(
      fc.property(TEXT, fc.nat(), (before, place) => {
        const at = place % (before.length + 1)
        const after = [...before.slice(0, at), 'a new line', ...before.slice(at)]
        expect(matchLines(before, after).filter((from) => from !== -1)).toHaveLength(before.length)
      }),
    )
  })

  test('the comparison ends without an answer when long texts have almost nothing in common', () => {
    const many = (line: string) => Array.from({ length: 200_000 }, (_, at) => `${line}${at % 2}`)
    const matched = matchLines(many('a'), [...many('b'), ...many('a')].reverse())
    expect(matched).toHaveLength(400_000)
    expect(new Set(matched)).toEqual(new Set([undefined]))
    const long = Array.from({ length: 1500 }, (_, at) => `const a${at} = 1`)
    expect(names(long, [whole('a', long.toReversed().join('\n'))], long.toReversed())).toEqual(
      long.map(() => undefined),
    )
  })

  test('common short lines are trivial', () => {
    expect(['}', '', '  });', 'end', 'else {', '---', 'return'].filter((line) => !isTrivial(line))).toEqual(
      [],
    )
    expect(['const a = 1', '日本語の行', 'return total'].filter(isTrivial)).toEqual([])
  })
})
