/**
 * Plain BM25 with the usual constants (k1 1.2, b 0.75) over words in lower case, as a measure of another hand beside our
 * own ranking. It has no stems, weights or forms of words.
 */
export class Bm25 {
  readonly #texts: Map<string, number>[]
  readonly #lengths: number[]
  readonly #mean: number
  readonly #containing = new Map<string, number>()

  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => {
      const counts = new Map<string, number>()
      for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const word of counts.keys()) this.#containing.set(word, (this.#containing.get(word) ?? 0) + 1)
      return counts
    })
    this.#lengths = this.#texts.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0))
    this.#mean = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(texts.length, 1)
  }

  /** The indexes of the texts that contain a word of the question, best first. */
  ranked(question: string): number[] {
    const scores = new Float64Array(this.#texts.length)
    for (const word of new Set(wordsIn(question))) {
      const containing = this.#containing.get(word) ?? 0
      const rare = Math.log(1 + (scores.length - containing + 0.5) / (containing + 0.5))
      for (const [index, counts] of this.#texts.entries()) {
        const count = counts.get(word) ?? 0
        const long = 1.2 * (0.25 + (0.75 * this.#lengths[index]!) / this.#mean)
        scores[index]! += (rare * count * 2.2) / (count + long)
      }
    }
    return [...scores.keys()].filter((index) => scores[index]! > 0).sort((a, b) => scores[b]! - scores[a]!)
  }
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
