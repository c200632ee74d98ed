import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rarityIn } from '../../../src/context/rarity/index.ts'
import { mostTelling, type Telling, tellingIn } from '../../../src/context/state/telling.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { said } from '../../session/conversations.ts'

const CUE = 1.3
const AROUND = 4
const words = fc.constantFrom(
  'cache',
  'table',
  'we decided on Redis',
  'you must not',
  'next step',
  'RangeError',
  'ok',
  'it',
)
const sentence = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 5 }), fc.constantFrom('.', '?', '\n'))
  .map(([some, end]) => `${some.join(' ')}${end}`)
const talk = fc
  .array(fc.tuple(fc.boolean(), fc.array(sentence, { minLength: 1, maxLength: 6 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((all) =>
    all.map(([user, sentences], n) =>
      said(`m${n}`, { role: user ? 'user' : 'assistant', content: sentences.join(' ') }),
    ),
  )

test('law: the words of the most worth are chosen, although of most the kind is not looked at', {
  timeout: TIME_FOR_RUNS,
}, () => {
  fc.assert(
    fc.property(talk, fc.nat(400), (messages, room) => {
      const all = tellingIn(messages, rarityIn(messages))
      expect(mostTelling(all, room)).toEqual(chosenFrom(all, room))
    }),
    runs(200, 2000),
  )
})

/** The same, by the worth of each. */
function chosenFrom(all: readonly Telling[], room: number): Telling[] {
  const worth = (one: Telling) => one.least * (one.kind === undefined ? 1 : CUE)
  const chosen: Telling[] = []
  let left = room
  for (const one of all.toSorted((a, b) => worth(b) - worth(a) || b.index - a.index || a.place - b.place)) {
    if (chosen.some(({ text }) => text === one.text)) continue
    if (one.tokens + AROUND > left) break
    left -= one.tokens + AROUND
    chosen.push(one)
  }
  return chosen.sort((a, b) => a.index - b.index || a.place - b.place)
}
