import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactText } from '../../../src/redact/index.ts'
import { joinLines, withNewLines } from '../../../src/session/sharing/join-lines.ts'

const line = (id: string, text = id) => JSON.stringify({ id, text })
const file = (...lines: string[]) => lines.map((one) => `${one}\n`).join('')

describe('two versions of a file of lines', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => line(id)) as [string, string, string, string]
  test.each([
    ['both have added', file(a), file(a, b), file(a, c), file(a, b, c)],
    ['one has removed', file(a, b), file(a), file(a, b, c), file(a, c)],
    ['the other has removed', file(a, b), file(a, b, d), file(a), file(a, d)],
    [
      'one has changed a line',
      file(a, b),
      file(line('a', 'x'), b),
      file(a, b, c),
      file(line('a', 'x'), b, c),
    ],
    ['the other has changed a line', file(a), file(a, b), file(line('a', 'x')), file(line('a', 'x'), b)],
    [
      'a line is changed here and removed there',
      file(a, b),
      file(line('a', 'x'), b),
      file(b),
      file(line('a', 'x'), b),
    ],
    [
      'both have added one id with other words',
      '',
      file(line('a', 'x')),
      file(line('a', 'y')),
      file(line('a', 'x'), line('a', 'y')),
    ],
    ['lines without an id', '', file('{}', 'torn'), file('torn'), file('torn', '{}')],
    ['the last line has no end', file(a), file(a, b), `${a}\n${c}`, file(a, b, c)],
  ])('%s', (_, base, ours, theirs, joined) => {
    expect(joinLines(base, ours, theirs)).toBe(joined)
    expect(joinLines(base, theirs, ours)).toBe(joined)
  })

  test('the one that went on earlier comes first', () => {
    const at = (id: string, timestamp: string) => JSON.stringify({ id, timestamp })
    const [late, early] = [at('a', '2026-11-21T10:00:00Z'), at('b', '2026-11-21T09:00:00Z')]
    expect(joinLines('', file(late), file(early))).toBe(file(early, late))
  })

  test('what was said on one after the other had pruned comes in its order, and the event before what is left', () => {
    const at = (id: string, timestamp: string, event?: string) => JSON.stringify({ id, timestamp, event })
    const [one, two, three] = ['1', '2', '3'].map((id) => at(id, `2026-11-21T0${id}:00:00Z`)) as [
      ...[string, string, string],
    ]
    const pruned = at('p', '2026-11-21T01:00:00Z', 'pruned')
    const early = at('early', '2026-11-21T05:00:00Z')
    const late = at('late', '2026-11-21T06:00:00Z')
    const base = file(one, two, three)
    for (const [ours, theirs, joined] of [
      [file(pruned, two, three), file(one, two, three, early), file(pruned, two, three, early)],
      [file(pruned, two, three, late), file(one, two, three, early), file(pruned, two, three, late, early)],
      [
        file(pruned, two, three, late),
        file(at('q', '2026-11-21T02:00:00Z', 'pruned'), three, early),
        file(at('q', '2026-11-21T02:00:00Z', 'pruned'), three, early, pruned, late),
      ],
    ] as const) {
      expect(joinLines(base, ours, theirs)).toBe(joined)
      expect(joinLines(base, theirs, ours)).toBe(joined)
      expect(joinLines(base, joined, theirs)).toBe(joined)
      expect(joinLines(base, joined, ours)).toBe(joined)
    }
  })

  test('each line of both is there once, and joining again changes nothing', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'))
    fc.assert(
      fc.property(ids, ids, ids, (before, one, other) => {
        const [base, ours, theirs] = [before, [...before, ...one], [...before, ...other]].map((list) =>
          file(...new Set(list.map((id) => line(id)))),
        ) as [string, string, string]
        const joined = joinLines(base, ours, theirs)
        expect(joined.split('\n').sort()).toEqual([...new Set(`${ours}${theirs}`.split('\n'))].sort())
        expect(joinLines(base, joined, theirs)).toBe(joined)
        expect(joinLines(base, theirs, ours)).toBe(joined)
      }),
    )
  })

  test('news of a version that is older are added, and nothing that was removed comes back', () => {
    expect(withNewLines(file(a, c), file(a, b, d), [file(a, b)])).toBe(file(a, c, d))
    expect(withNewLines('', file(a), [])).toBe(file(a))
    expect(withNewLines(file(line('a', 'x')), file(a), [])).toBe(file(line('a', 'x')))
  })
})

test('of a message that only one side has redacted, before they knew of each other, the redacted one stays', () => {
  const secrets = ['Ab1xQ9Zk', 'Zk9xQ1bA'].map((part) => `ghp_${part.repeat(4)}wZ3q`)
  const line = (id: string, content: string) => `${JSON.stringify({ id, content })}\n`
  const texts = [
    `the keys are ${secrets.join(' and ')}.`,
    `${secrets[0]}${' '}${secrets[1]}`,
    `${secrets[0]}`,
  ]
  for (const text of texts) {
    const [before, after] = [line('a', text), line('a', redactText(text).text)]
    expect(after).not.toBe(before)
    for (const both of [
      [before, after],
      [after, before],
    ] as const)
      expect(joinLines('', ...both)).toBe(after)
  }
  const clean = redactText(texts[0]!).text
  for (const other of ['the keys are', 'the keys are lost and found', clean.replace(' and ', ' or ')])
    expect(joinLines('', line('a', clean), line('a', other)).split('\n')).toHaveLength(3)
})
