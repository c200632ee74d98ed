/** A search, prepared so that it can be matched against many texts. */
export interface Query {
  terms: readonly Term[]
  /** Sequences of terms that add to the score where they occur together. */
  phrases: readonly Phrase[]
  /** Matches every candidate for a term; `meaningOf` decides whether it is one. */
  pattern: RegExp
  /** The same for lines of JSON that contain the texts. */
  inJson: RegExp
  /** Returns the terms that a word of a text may mean, with their certainty. */
  meaningOf: (word: string) => readonly Meaning[]
  /** Terms that very many messages contain, with the fraction of messages (frequent.ts). */
  frequent?: ReadonlyMap<number, number>
  /** Set when the query has signs and no word; they are then searched for literally. */
  literal?: string
}

export interface Term {
  /** In lower case and without accents. */
  text: string
  /** The stem that its other forms share. */
  stem: string
  /** One or two characters of a script that is written without spaces. */
  unspaced: boolean
  /** Whether words that differ by a typing slip count. */
  slip: boolean
  weight: number
}

export interface Phrase {
  /** Places in `terms`. */
  terms: readonly number[]
  /** The most characters between each of these terms and the one before it. */
  gaps: readonly number[]
  weight: number
}

export interface Meaning {
  /** The place of the term in the query. */
  term: number
  /** 1 for the very word, less for another form of it. */
  weight: number
}
