/** Removes the half of a surrogate pair that a slice may begin or end with. */
export declare function wholeCharacters(slice: string): string;
/** Replaces every lone half of a surrogate pair by U+FFFD. Writing the text as UTF-8 would do the same. */
export declare function wellFormed(text: string): string;
