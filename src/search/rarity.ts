import { plain } from '../text/without-accents.ts'
import { CAPITALISED, NAME, PAIR, readWords, type WordVisitor } from './words.ts'

/**
 * The rarity of a word that occurs in `containing` of `all` texts: the inverse document frequency of BM25. It is never
 * below 0.
 */
export function rarityOf(containing: number, all: number): number {
  return Math.log(1 + Math.max(all - containing, 0.5) / (containing + 0.5))
}

/**
 * Measures how much a text says, in any language. Rare words of a conversation, such as names and numbers, say most.
 * Words that occur in many of its messages say nothing.
 */
export interface Rarity {
  /**
   * The sum of the rarities of the text's different words; a name counts three times. Questions count nothing, because
   * their answers repeat what matters.
   */
  worth(text: string): number
}

/**
 * Only the part of a word's rarity above this bound counts. The bound is the rarity of a word in about one of twenty
 * messages. With few messages, the bound is lower: about the rarity of a word in √n of n messages.
 */
const COMMON_RARITY = 3
/** A name counts as much as this many ordinary words. Measured with LoCoMo (`npm run locomo`), like COMMON_RARITY. */
const NAME_FACTOR = 3
/** A pair of neighbouring characters counts less than a word, because half of the pairs span two words. */
const PAIR_FACTOR = 0.35
/**
 * If more than this part of the words have a capital inside a sentence, as in German, a capital does not make a name.
 */
const MAX_CAPITALS = 0.12

/** Measures rarity among the texts of one conversation. */
export function rarityAmong(texts: readonly string[]): Rarity {
  // A word is identified by the low bits of its hash. Two words seldom share these bits. If they do, both count as less
  // rare.
  const size = sizeFor(texts.reduce((sum, text) => sum + text.length, 0))
  const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & (size - 1)
  const containing = new Uint32Array(size)
  const seenIn = new Uint32Array(size)
  let textIndex = 0
  let all = 0
  let capitals = 0
  const counting: WordVisitor = {
    word(kind, hash) {
      all += 1
      if (kind === CAPITALISED) capitals += 1
      const slot = slotOf(hash)
      if (seenIn[slot] === textIndex) return
      seenIn[slot] = textIndex
      containing[slot]! += 1
    },
  }
  for (const text of texts) {
    textIndex += 1
    readWords(plain(text), counting)
  }
  const common = Math.min(COMMON_RARITY, Math.log(1 + texts.length) / 2)
  const rare = Float64Array.from({ length: texts.length + 1 }, (_, some) =>
    Math.max(0, rarityOf(some, texts.length) - common),
  )
  const factors = new Float64Array(4).fill(1)
  if (capitals < MAX_CAPITALS * all) factors[CAPITALISED] = NAME_FACTOR
  factors[NAME] = NAME_FACTOR
  factors[PAIR] = PAIR_FACTOR
  let sum = 0
  let inSentence = 0
  let slots: number[] = []
  const weighing: WordVisitor = {
    word(kind, hash) {
      const slot = slotOf(hash)
      if (seenIn[slot] === textIndex) return
      seenIn[slot] = textIndex
      slots.push(slot)
      inSentence += rare[containing[slot]!]! * factors[kind]!
    },
    sentenceEnd(asks) {
      // A statement of the text may say again what it asks.
      if (asks) for (const slot of slots) seenIn[slot] = 0
      else sum += inSentence
      inSentence = 0
      slots = []
    },
  }
  // Cached, because each strategy and each try weighs the same texts.
  const weighed = new Map<string, number>()
  return {
    worth(text) {
      const cached = weighed.get(text)
      if (cached !== undefined) return cached
      textIndex += 1
      sum = inSentence = 0
      slots = []
      readWords(plain(text), weighing)
      weighed.set(text, sum + inSentence)
      return sum + inSentence
    },
  }
}

/** The size of the tables: about two entries for each different word. */
function sizeFor(characters: number): number {
  return 2 ** Math.min(18, Math.max(12, Math.ceil(Math.log2(characters / 3 + 1))))
}
