/** Makes a text one line without control characters, so that it can go into a commit message, a list or a terminal. */
export declare function oneLine(text: string): string;
/**
 * Removes what a terminal would obey: escape sequences, control characters other than newline and tab, and the
 * invisible marks that turn the direction of writing.
 */
export declare function printable(text: string): string;
/** A text as it is seen once it is printed: with plain line breaks, and without what a terminal obeys. */
export declare function asSeen(text: string): string;
/** What a terminal obeys. This includes the first character of every escape sequence. */
export declare const OBEYED: RegExp;
/** Makes a text one line of at most `length` characters. However long the text is, only its beginning is looked at. */
export declare function shortLine(text: string, length: number): string;
/** The first `length` characters, cut between words if a word ends in the last third, never inside a character. */
export declare function cutAtWord(text: string, length: number): string;
