import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Findable, looksLikeName, namedExactly, namesAmong } from '../../src/session/names.ts'
import { oneLine } from '../../src/text/line.ts'
import { runs } from '../helpers/long.ts'

/** A conversation at `<date>/<id>` below `conversations/`. */
function at(datedId: string, more: Partial<Findable> = {}): Findable {
  const id = datedId.slice(datedId.lastIndexOf('/') + 1)
  return { id, datedId, path: `conversations/${datedId}`, title: 'Any', summary: '', tags: [], ...more }
}

const namesIn = (all: readonly Findable[]) => {
  const { nameOf } = namesAmong(() => all)
  return all.map(({ path }) => nameOf(path))
}

describe('a name', () => {
  test.each([
    ['a number', ['2026-11-21/005-plan-a', '2026-11-21/006-plan-b'], ['5', '6']],
    [
      'the day, if another day has the number',
      ['2026-11-21/001-a', '2026-11-20/001-a'],
      ['11-21/1', '11-20/1'],
    ],
    [
      'the year, if another year has the day',
      ['2026-11-21/001-a', '2025-11-21/001-a'],
      ['2026-11-21/1', '2025-11-21/1'],
    ],
    [
      'a beginning of the id, if two clones have made the same number on one day',
      ['2026-11-27/001-brainstorm-a', '2026-11-27/001-plan-b'],
      ['11-27/1-brainstorm', '11-27/1-plan'],
    ],
    [
      'as many words of the id as necessary',
      ['2026-11-27/001-plan-a-b', '2026-11-27/001-plan-a-c', '2026-11-27/001-plan'],
      ['11-27/1-plan-a-b', '11-27/1-plan-a-c', '11-27/1-plan'],
    ],
    [
      'the whole id, if it is the beginning of another id',
      ['2026-11-27/001-plan', '2026-11-27/001-plan-x'],
      ['11-27/1-plan', '11-27/1-plan-x'],
    ],
    [
      'the year before a beginning',
      ['2026-11-27/001-plan-a', '2026-11-27/001-debug-a', '2025-11-27/001-plan-b'],
      ['2026-11-27/1-plan', '11-27/1-debug', '2025-11-27/1'],
    ],
    ['an id without a number', ['old/notes', '2026-11-21/x'], ['notes', 'x']],
    ['no option', ['old/-x'], ['old/-x']],
  ])('%s', (_, ids, expected) => expect(namesIn(ids.map((one) => at(one)))).toEqual(expected))

  test('is a path, if two folders have the same date and id', () => {
    const ids = ['notes/2026-11-21/001-plan-a', 'conversations/2026-11-21/001-plan-a']
    const all = ids.map((path) => at('2026-11-21/001-plan-a', { path }))
    expect(namesIn(all)).toEqual(ids)
    expect(all.map(({ path }) => namesAmong(() => all).idOf(path))).toEqual(ids)
  })

  test('is not one that is the key or the folder of another', () => {
    const all = [at('2026-11-21/003-plan-a'), at('2026-11-21/004-chat-b', { key: '3' }), at('11-21/3')]
    expect(namesIn(all)).toEqual(['2026-11-21/3', '4', 'conversations/11-21/3'])
  })

  // promise: In `--json` the field `name`
  test('of a program is the id; with the date, if another conversation has the id', () => {
    const all = ['2026-11-21/001-plan-a', '2026-11-22/001-plan-a', '2026-11-22/002-plan-a'].map((one) =>
      at(one),
    )
    expect(all.map(({ path }) => namesAmong(() => all).idOf(path))).toEqual([
      '2026-11-21/001-plan-a',
      '2026-11-22/001-plan-a',
      '002-plan-a',
    ])
  })
})

const word = fc.constantFrom('a', 'b', 'plan', 'Plan', 'x', '1', '', 'ä', 'two words', "it's")
const id = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('001', '002', '3', '10', '0007'),
        fc.constantFrom('plan', 'debug', 'chat'),
        fc.array(word, { maxLength: 3 }),
      )
      .map(([number, type, words]) => [number, type, ...words].join('-')),
  },
  fc.constantFrom(
    'notes',
    '7',
    '007',
    '1',
    '-1',
    '001-',
    '001--a',
    'a\nb',
    '11-21',
    '2026-11-21',
    '99999999999999999999-a',
  ),
)
const day = fc.constantFrom('2026-11-21', '2026-11-20', '2025-11-21', '11-21', 'old', '1')
const above = fc.constantFrom('conversations/', 'conversations/', 'conversations/', 'notes/deep/', '')
const key = fc.constantFrom(
  '1',
  '11-21/1',
  '11-21/1-plan',
  '2026-11-21/001-plan',
  'conversations/2026-11-21/001-plan',
  'discord:1',
)
/** An id in session.json that is not the folder's name, as after a rename. */
const renamed = fc.option(fc.oneof(id, key), { nil: undefined, freq: 8 })

const workspace = fc
  .uniqueArray(fc.record({ above, day, id, key: fc.option(key, { nil: undefined, freq: 6 }), renamed }), {
    minLength: 1,
    maxLength: 14,
    selector: (one) => oneLine(`${one.above}${one.day}/${one.id}`),
  })
  .map((drawn) =>
    drawn.map(({ above, day, id, key, renamed }) => ({
      ...at(`${day}/${id}`, key === undefined ? {} : { key }),
      id: oneLine(renamed ?? id),
      path: `${above}${day}/${id}`,
      // Titles are never names.
      title: key ?? id,
    })),
  )

/** All names of the ladder before the dated id, from the shortest on. */
function ladder({ id, datedId }: Findable): string[] {
  const [, number, rest] = /^0*(\d+)-(.*)$/.exec(id) ?? []
  if (number === undefined) return [id]
  const [, year, day] = /^(\d{4}-)?(\d{2}-\d{2})\//.exec(datedId) ?? []
  const days = day === undefined ? [] : year === undefined ? [day] : [day, year + day]
  const begun = rest!.split('-').map((_, index, all) => all.slice(0, index + 1).join('-'))
  return [
    ...[number, ...days.map((one) => `${one}/${number}`)],
    ...begun.flatMap((words) => days.map((one) => `${one}/${number}-${words}`)),
  ]
}

describe('law', () => {
  // promise: The name beside a conversation, in every list, error, client and `--json`, is the shortest
  test('S1-003d: a name means its conversation and no other, and no shorter one does', () => {
    fc.assert(
      fc.property(workspace, (all) => {
        const { nameOf, idOf } = namesAmong(() => all)
        for (const one of all) {
          const name = nameOf(one.path)
          expect(namedExactly(name.trim(), all)).toEqual([one])
          expect(oneLine(name)).toBe(name)
          const steps = ladder(one)
          const step = steps.indexOf(name)
          for (const shorter of step === -1 ? steps : steps.slice(0, step))
            if (!shorter.startsWith('-') && shorter.trim() === shorter)
              expect(namedExactly(shorter, all), shorter).not.toEqual([one])
          expect(namedExactly(idOf(one.path), all)).toEqual([one])
        }
        expect(new Set(namesIn(all)).size).toBe(all.length)
      }),
      runs(1000, 20_000),
    )
  })

  test('nothing but its own names finds a conversation', () => {
    const one = at('2026-11-21/007-plan-learn-rust')
    const own = /^(?:0*7|(?:2026-)?11-21\/0*7(?:-plan(?:-learn(?:-rust)?)?)?|007-plan-learn-rust)$/
    fc.assert(
      fc.property(
        fc.constantFrom(...[one.datedId, one.id, '11-21/7-plan', '7']),
        ...[fc.string({ maxLength: 3 }), fc.nat(), fc.nat(3)],
        (name, put, place, cut) => {
          const start = place % (name.length + 1)
          const typed = name.slice(0, start) + put + name.slice(start + cut)
          expect(namedExactly(typed, [one]).length).toBe(own.test(typed) ? 1 : 0)
        },
      ),
    )
  })
})

describe('namedExactly', () => {
  const all = ['2026-11-21/007-plan-rust', '2026-11-21/008-plan-rust-b', '2026-11-21/012-debug-x'].map(
    (one) => at(one),
  )

  test.each([
    ...['7', '007', '11-21/7', '11-21/007', '2026-11-21/7', '2026-11-21/0007'],
    ...['007-plan-rust', '2026-11-21/007-plan-rust', 'conversations/2026-11-21/007-plan-rust'],
    ...['11-21/7-plan', '11-21/007-plan', '2026-11-21/7-plan', '11-21/7-plan-rust'],
  ])('S0-D4f, X-17: "%s" finds it', (name) => expect(namedExactly(name, all)).toEqual([all[0]]))

  test('a key finds it, and a name that several have finds all of them', () => {
    const [one, two, three] = [at('2026-11-21/007-a'), at('2026-11-21/009-b', { key: '7' }), at('old/7')]
    expect(namedExactly('7', [one, two, three])).toEqual([one, two, three])
    expect(namedExactly('11-21/7', [one, two, three])).toEqual([one])
    const again = at('2026-11-22/007-plan-rust')
    expect(namedExactly('007-plan-rust', [...all, again])).toEqual([all[0], again])
  })

  test.each([
    ...['plan', 'rust', '7abc', '-7', '+7', '0', '07-plan', '\uff17', '7 8', '1e0', '0x7', '7.0', '', ' '],
    ...['007-plan', '7-plan', '007-plan-rus', '11-21/7-pla', '11-21/7-', '11-21/7-rust', '11-21/7-Plan'],
    ...[
      '2026-11-21',
      '2025-11-21/007-plan-rust',
      '../2026-11-21/7',
      '11-20/7',
      '2026-11-21/77',
      '1-21/7-plan',
    ],
  ])('"%s" names nothing', (name) => expect(namedExactly(name, all)).toEqual([]))
})

test.each([
  '12',
  '012',
  '-3',
  '\uff11\uff12',
  '003-plan-x',
  '2026-11-21/3',
  '../../etc',
  'a/b',
  './x',
  '~',
  '..\\x',
])('"%s" can only be a name', (text) => expect(looksLikeName(text)).toBe(true))

test.each(['sprint 12', '12abc', 'api design', '3-way merge', 'ci/cd setup', 'v2.0', ''])(
  '"%s" can be words',
  (text) => expect(looksLikeName(text)).toBe(false),
)
