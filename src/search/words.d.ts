/** Letters and digits of all other scripts, as a class of a regular expression, in a text that is `plain`. */
export declare const LETTERS = "A-Za-z0-9\u0100-\u1FFF";
/** All letters of the other scripts lie below. */
export declare const FIRST_UNSPACED = 12293;
/** The words of a plain text in their order. What is written without spaces comes as a whole. */
export declare function wordsOf(text: string): string[];
export declare function isUnspaced(word: string): boolean;
/** Whether a UTF-16 unit is one of `LETTERS`. */
export declare function isLetter(unit: number): boolean;
/** The parts of an identifier, `planResume` → `plan`, `Resume`; a word without humps is its own only part. */
export declare function partsOf(word: string): string[];
