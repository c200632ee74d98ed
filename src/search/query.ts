import type { DayFit } from './asked-days.ts'

/** A search, prepared so that it can be matched against many texts. */
export interface Query {
  terms: readonly Term[]
  /** Sequences of terms that add to the score where they occur together. */
  phrases: readonly Phrase[]
  /** Matches every word that may mean a term. `meaningOf` decides whether the word does mean it. */
  pattern: RegExp
  /** Like `pattern`, but for lines of JSON that contain the texts, and without related terms. */
  inJson: RegExp
  /** Returns the terms that a word of a text may mean, with their certainty. */
  meaningOf: (word: string) => readonly Meaning[]
  /**
   * The indexes of terms that very many messages contain, each with the fraction of messages that contain it
   * (frequent.ts).
   */
  frequent?: ReadonlyMap<number, number>
  /** Whether it is one wording of a question, as a person types it. */
  isOneWording: boolean
  /** How well times fit the days that the query names. */
  days?: DayFit
  /** The words that name these days, as the texts of terms. */
  dayWords?: ReadonlySet<string>
  /** Set when the query has signs and no word; the signs are then searched for literally. */
  literal?: string
}

export interface Term {
  /** In lower case and without accents. */
  text: string
  /** The stem that other forms of the word share. */
  stem: string
  /** Whether the text is one or two characters of a script that is written without spaces. */
  unspaced: boolean
  /** Whether words with one typo count too. */
  slip: boolean
  weight: number
  /** Whether most wordings of the question have it: a model that gives several makes up the other words. */
  inMost: boolean
  /**
   * Whether the term is not in the query, but related to a word of it (related-words.ts). A related term counts only in
   * texts that contain a word of the query itself.
   */
  related: boolean
}

export interface Phrase {
  /** Indexes in `terms`. */
  terms: readonly number[]
  /** The maximum number of characters between each of these terms and the term before it. */
  gaps: readonly number[]
  weight: number
  /** The phrase counts only right after a text that matches this. */
  after?: RegExp
}

export interface Meaning {
  /** The index of the term in the query. */
  term: number
  /** 1 for the very word, less for another form of it. */
  weight: number
}
