/** Counts the tokens of a text. `exact` says whether this is a real tokenizer or an estimate. */
export interface Tokenizer {
    readonly exact: boolean;
    /** With a `limit`, counting stops when it is exceeded and the answer is Infinity. */
    count(text: string, limit?: number): number;
}
/**
 * The longest token of o200k has 128 characters (spaces). A text with more characters than this for each token of the
 * limit need not be counted.
 */
export declare const LONGEST_TOKEN = 128;
/**
 * A number of tokens that a text has at least, which takes far less than counting them: where a letter stands behind white
 * space, o200k begins a token. 0 for a text with control characters, of which less may be shown than it holds.
 */
export declare function leastTokens(text: string): number;
/**
 * OpenAI's o200k encoding, loaded on first use. Every budget here is measured in it. The counts of other vendors differ
 * by some percent.
 */
export declare function o200k(): Promise<Tokenizer>;
/**
 * An estimate for metadata, where loading a tokenizer costs more than the number is worth. It adds up what tokens are
 * made of: words, groups of three digits, marks. For prose, code, JSON, base64 and the larger scripts it is within a
 * quarter of o200k, and mostly above it.
 */
export declare const estimate: Tokenizer;
