/** What was replaced. It never holds the secret itself. */
export interface Found {
    kind: string;
    /**
     * The start of the secret's sha256: 8 hex digits, or 2 when a person may have made the secret up (see `hashLength`).
     */
    hash: string;
}
/** Makes `[REDACTED:<kind>:<hash>]`, which depends on kind and secret alone. */
export declare function placeholder(kind: string, secret: string): Found & {
    text: string;
};
export declare const MARK = "[REDACTED:";
/**
 * The offset where the placeholder at `at` ends. For text that only starts like our placeholders, the end of its mark.
 */
export declare function placeholderEnd(text: string, at: number): number;
/** The text without our placeholders in it. */
export declare function withoutPlaceholders(text: string): string;
/** The kind of a secret that its surroundings gave away and that a person may have made up. */
export declare const GUESSABLE = "password";
