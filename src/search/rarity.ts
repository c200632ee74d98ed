import { plain } from '../text/plain.ts'
import { CAPITALISED, NAME, PAIR, readWords, type WordVisitor } from './words.ts'

/** How rare a word is that `holding` of `all` texts contain: the inverse document frequency of BM25. Never below 0. */
export function rarityOf(holding: number, all: number): number {
  return Math.log(1 + Math.max(all - holding, 0.5) / (holding + 0.5))
}

/**
 * Measures how much a text says, in any language: rare words of a conversation (names, numbers, files, decisions) say
 * most of it, and words that everybody uses all the time say nothing.
 */
export interface Rarity {
  /**
   * The sum of the rarities of the text's different words; a name counts three times. Questions count nothing, because
   * their answers repeat what matters.
   */
  worth(text: string): number
}

/**
 * Only what a word is rarer than this counts: words of one message in twenty are not. With few messages the bound is
 * the rarity of a word that the square root of them contain.
 */
const COMMON = 3
/** A name counts for so many ordinary words. Measured with LoCoMo (`npm run locomo`), like the number above. */
const OF_A_NAME = 3
/** A pair of neighbouring characters counts less than a word: half of the pairs span two words. */
const OF_A_PAIR = 0.35
/** If more than this part of the words have a capital inside a sentence, as in German, a capital makes no name. */
const MAX_CAPITALS = 0.12

/** Measures rarity among the texts of one conversation. */
export function rarityAmong(texts: readonly string[]): Rarity {
  // A word is known by the low bits of its hash. Two words seldom share them; they are then less rare than they are.
  const size = sizeFor(texts.reduce((sum, text) => sum + text.length, 0))
  const placeOf = (hash: number) => (hash ^ (hash >>> 15)) & (size - 1)
  const holding = new Uint32Array(size)
  const seenIn = new Uint32Array(size)
  let text = 0
  let all = 0
  let capitals = 0
  const counting: WordVisitor = {
    word(kind, hash) {
      all += 1
      if (kind === CAPITALISED) capitals += 1
      const place = placeOf(hash)
      if (seenIn[place] === text) return
      seenIn[place] = text
      holding[place]! += 1
    },
  }
  for (const one of texts) {
    text += 1
    readWords(plain(one), counting)
  }
  const common = Math.min(COMMON, Math.log(1 + texts.length) / 2)
  const rare = Float64Array.from({ length: texts.length + 1 }, (_, some) =>
    Math.max(0, rarityOf(some, texts.length) - common),
  )
  const factors = new Float64Array(4).fill(1)
  if (capitals < MAX_CAPITALS * all) factors[CAPITALISED] = OF_A_NAME
  factors[NAME] = OF_A_NAME
  factors[PAIR] = OF_A_PAIR
  let sum = 0
  let inSentence = 0
  const weighing: WordVisitor = {
    word(kind, hash) {
      const place = placeOf(hash)
      if (seenIn[place] === text) return
      seenIn[place] = text
      inSentence += rare[holding[place]!]! * factors[kind]!
    },
    sentenceEnd(asks) {
      if (!asks) sum += inSentence
      inSentence = 0
    },
  }
  // Each strategy and each try weighs the same texts.
  const weighed = new Map<string, number>()
  return {
    worth(one) {
      const before = weighed.get(one)
      if (before !== undefined) return before
      text += 1
      sum = inSentence = 0
      readWords(plain(one), weighing)
      weighed.set(one, sum + inSentence)
      return sum + inSentence
    },
  }
}

/** About two places for each different word. */
function sizeFor(characters: number): number {
  return 2 ** Math.min(18, Math.max(12, Math.ceil(Math.log2(characters / 3 + 1))))
}
