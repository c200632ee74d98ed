/**
 * Words of questions and sentences that say nothing of what is looked for. A query leaves them out unless it has no
 * others or they are quoted. The list is short: how rare a word is in the conversations themselves decides the rest.
 */
export declare function isCommon(word: string): boolean;
