import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { lookedAt } from '../state/index.ts'
import { looked } from '../state/sentences.ts'
import { ASKED, CAPITAL, END, NAME, PAIR, wordsOf } from './words.ts'

/**
 * What is rare in a conversation says most of it, in any language: a name, a number, a file, a decision are said once or
 * twice, and what everybody says all the time says nothing.
 */
export interface Rarity {
  /**
   * How much a text says: the sum of how rare its words are, where a name or a number counts more. What is asked in it
   * does not count, because the answer holds it.
   */
  worth(text: string): number
}

/** A word that stands in one message of twenty says nothing; in few messages, one that stands in more than their root. */
const COMMON = 3
/** What a name says, in ordinary words. Measured with LoCoMo (`npm run locomo`), like the number above. */
const OF_A_NAME = 3
/** Two neighbouring characters are less than a word: half of the pairs lie across two of them. */
const OF_A_PAIR = 0.35
/** Where more words than this have a capital, as in German, a capital does not make a name. */
const CAPITALS = 0.12

const known = new WeakMap<readonly Message[], Rarity>()

/** It is kept, so that each strategy may ask for it. */
export function rarityIn(said: readonly Message[]): Rarity {
  const before = known.get(said)
  if (before !== undefined) return before
  const rarity = rarityAmong(lookedAt(said).map((message) => looked(textOf(message))))
  known.set(said, rarity)
  return rarity
}

/**
 * A word is known by the low bits of its number. That two fall together is seldom, and makes them less rare than they
 * are.
 */
function rarityAmong(texts: readonly string[]): Rarity {
  const size = sizeFor(texts.reduce((sum, text) => sum + text.length, 0))
  const last = size - 1
  const textsWith = new Uint32Array(size)
  const isFirst = firstInText(size)
  let all = 0
  let capitals = 0
  for (const text of texts) {
    isFirst.nextText()
    const { count, kinds, numbers } = wordsOf(text)
    for (let at = 0; at < count; at += 1) {
      const kind = kinds[at]!
      if (kind >= END) continue
      all += 1
      if (kind === CAPITAL) capitals += 1
      const word = numbers[at]! & last
      if (isFirst.ask(word)) textsWith[word]! += 1
    }
  }
  const weights = new Float64Array(END).fill(1)
  weights[NAME] = OF_A_NAME
  weights[CAPITAL] = capitals < CAPITALS * all ? OF_A_NAME : 1
  weights[PAIR] = OF_A_PAIR
  const common = Math.min(COMMON, Math.log(1 + texts.length) / 2)
  // By how many texts hold a word.
  const rare = Float64Array.from({ length: texts.length + 1 }, (_, some) =>
    Math.max(0, Math.log(1 + texts.length / Math.max(1, some)) - common),
  )
  // The same texts are weighed for each strategy and each try.
  const weighed = new Map<string, number>()
  return {
    worth(text) {
      const before = weighed.get(text)
      if (before !== undefined) return before
      isFirst.nextText()
      let sum = 0
      let inSentence = 0
      const { count, kinds, numbers } = wordsOf(looked(text))
      for (let at = 0; at < count; at += 1) {
        const kind = kinds[at]!
        if (kind >= END) {
          if (kind !== ASKED) sum += inSentence
          inSentence = 0
          continue
        }
        const word = numbers[at]! & last
        if (isFirst.ask(word)) inSentence += rare[textsWith[word]!]! * weights[kind]!
      }
      weighed.set(text, sum + inSentence)
      return sum + inSentence
    },
  }
}

/** Twice as many places as there are words, about. */
function sizeFor(characters: number): number {
  return 2 ** Math.min(18, Math.max(12, Math.ceil(Math.log2(characters / 3 + 1))))
}

/** Tells whether a word comes for the first time in a text. */
function firstInText(size: number): { nextText(): void; ask(word: number): boolean } {
  const seenIn = new Uint32Array(size)
  let text = 0
  return {
    nextText: () => {
      text += 1
    },
    ask(word) {
      if (seenIn[word] === text) return false
      seenIn[word] = text
      return true
    },
  }
}
