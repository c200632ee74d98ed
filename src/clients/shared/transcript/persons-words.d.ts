/** What a person said in place of a tool, or beside its answer. */
export interface PersonsWords {
    /** '' where they said nothing. */
    words: string;
    /** The person did not let the tool run. */
    refused: boolean;
}
export declare const NO_WORDS: PersonsWords;
/** Each question as a quotation, and below it what the person answered. Questions without an answer are left out. */
export declare function answersText(asked: readonly {
    question: string;
    answer: string;
}[]): string;
