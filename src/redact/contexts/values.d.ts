/** Finds where quoted strings of one text end; asked again within a string that it knows, it reads nothing. */
export declare class Quotes {
    #private;
    private readonly text;
    /** How many letters were read. The tests hold it against the length of the text. */
    steps: number;
    constructor(text: string);
    /**
     * The end of the string that begins at `from` behind the quote `open`, or undefined where its line ends first. The
     * opening quote stands after k backslashes; k says how often the text was escaped. A quote after m backslashes closes
     * the string when k backslashes remain once the escaped backslashes are taken away.
     */
    closing(from: number, open: string): number | undefined;
}
/**
 * An unquoted value ends at white space, a quote, or an escaped quote or line end. In code it also ends at punctuation;
 * `&` ends it only where the next field of a URL, or the next command, follows.
 */
declare const ENDS: {
    code: RegExp;
    colon: RegExp;
    env: RegExp;
};
/** The unquoted value at `from`, without the punctuation of the sentence around it; `run` is the end of the whole run. */
export declare function unquotedAt(text: string, from: number, ends: keyof typeof ENDS): {
    value: string;
    run: number;
} | undefined;
/** Whether nothing but a comment stands between `at` and the end of the line, which may be an escaped one. */
export declare function isLineEnd(text: string, at: number): boolean;
/** Whether nothing but the marks of a list, a diff or a numbered line stand between the start of the line and `at`. */
export declare function isLineStart(text: string, at: number): boolean;
/** Whether the quote before `behind` ended a string of JSON: structure follows it, not a value. */
export declare function isStructure(behind: string): boolean;
/** The source of a quote that begins a value; the same as `isStructure`, for what stands in a pattern. */
export declare const OPENING = "\\\\{0,40}[\"'](?!(?:\\s|\\\\{1,40}[nrt]){0,60}[,\\]}:])";
export {};
