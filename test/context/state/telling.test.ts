import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rarityIn } from '../../../src/context/rarity.ts'
import type { Kind } from '../../../src/context/state/sentences.ts'
import { Candidate, candidatesIn, chooseByWorth } from '../../../src/context/state/telling.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { said } from '../../session/conversations.ts'

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
const ENOUGH = 1_000_000

test('law: the words that are worth most are chosen within the room, each once and in order, and more room only adds words', {
  timeout: TIME_FOR_RUNS,
}, () => {
  fc.assert(
    fc.property(talk, fc.nat(400), fc.nat(100), (messages, room, more) => {
      const all = candidatesIn(messages, rarityIn(messages))
      const told = chooseByWorth(all, room)
      const texts = told.map(({ text }) => text)
      expect(new Set(texts).size).toBe(texts.length)
      expect(told).toEqual(told.toSorted((a, b) => a.index - b.index || a.position - b.position))
      expect(told.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(room)
      expect(chooseByWorth(all, room + more)).toEqual(expect.arrayContaining(told))
      const whole = chooseByWorth(all, ENOUGH)
      expect(new Set(whole.map(({ text }) => text))).toEqual(new Set(all.map(({ text }) => text)))
      for (const left of all.filter(({ text }) => !texts.includes(text)))
        for (const one of told)
          if (one.kind === undefined || left.kind !== undefined)
            expect(one.least).toBeGreaterThanOrEqual(left.least)
    }),
    runs(200, 2000),
  )
})

test('a decision is chosen before a sentence that is worth a quarter more, and after one that is worth half more', () => {
  const [decides, little, much] = [telling(1, 'decision'), telling(1.25), telling(1.5)]
  const room = decides.tokens + 5
  expect(chooseByWorth([decides, little], room)).toEqual([decides])
  expect(chooseByWorth([decides, much], room)).toEqual([much])
})

test('the kinds of no more sentences are judged than are needed', () => {
  let looks = 0
  const counted = Array.from({ length: 100 }, (_, n) =>
    telling(1000 / (n + 1), {
      get kind() {
        looks += 1
        return undefined
      },
    }),
  )
  expect(chooseByWorth(counted, counted[0]!.tokens + 5)).toEqual([counted[0]])
  expect(looks).toBeLessThan(5)
})

let made = 0

function telling(least: number, kind?: Kind | { kind: Kind | undefined }): Candidate {
  const index = made++
  const words = typeof kind === 'object' ? kind : { kind }
  return new Candidate(said(`m${index}`), index, 0, `text ${index}`, 10, least, words)
}
