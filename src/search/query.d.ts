/** What a person looks for, made ready to be found in many texts. */
export interface Query {
    terms: readonly Term[];
    /** Sequences of terms that count by themselves where they stand together. */
    phrases: readonly Phrase[];
    /** Finds all that may be one of the terms; `meaningOf` says whether it is. */
    pattern: RegExp;
    /** The same for the lines of JSON that texts lie in. */
    inJson: RegExp;
    /** Which terms a word may mean as it stands in a text, and how surely. */
    meaningOf: (word: string) => readonly Meaning[];
    /** The terms that stand in very many messages, and in what part of them (frequent.ts). */
    frequent?: ReadonlyMap<number, number>;
    /** A query without any word, only signs, is looked for as it is. */
    literal?: string;
}
export interface Term {
    /** In lower case and without accents. */
    text: string;
    /** What its other forms have in common with it. */
    stem: string;
    /** One or two characters of a script that is written without spaces. */
    unspaced: boolean;
    /** Whether words that differ by a typing slip count. */
    slip: boolean;
    weight: number;
}
export interface Phrase {
    /** Places in `terms`. */
    terms: readonly number[];
    /** The most characters between each of these terms and the one before it. */
    gaps: readonly number[];
    weight: number;
}
export interface Meaning {
    /** The place of the term in the query. */
    term: number;
    /** 1 for the very word, less for another form of it. */
    weight: number;
}
