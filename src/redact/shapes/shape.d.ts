/**
 * A secret that is known by its own shape: a fixed start, then a number of letters of one alphabet. The starts and
 * lengths come from the vendors' documents and the published lists of secret scanners.
 */
export interface Shape {
    kind: string;
    /** The literal texts that announce the secret; the search looks for these. */
    starts: readonly string[];
    /** What follows the start, as the source of a regular expression. Group 1 is the secret, or all without one. */
    rest: string;
    /** The pattern covers the whole secret, which begins this many characters before the announcing text. */
    back: number;
    /** The announcing text is `rest`'s own matter: it does not stand before it. */
    whole: boolean;
    /** The start is so short that only a random-looking secret counts. */
    random: boolean;
    /** The announcing text may follow a letter or digit. */
    anywhere: boolean;
}
export declare const HEX = "[0-9a-f]";
export declare const ANYHEX = "[0-9A-Fa-f]";
export declare const ALNUM = "[A-Za-z0-9]";
export declare const LOWNUM = "[a-z0-9]";
export declare const URL64 = "[A-Za-z0-9_-]";
/** Base64, also as a URL writes it. */
export declare const BASE64 = "(?:[A-Za-z0-9+/]|%2[BF])";
/** Letters of a URL and `=`, also as a URL writes it. */
export declare const EQUAL64 = "(?:[A-Za-z0-9_=-]|%3D)";
export declare const UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}";
/** `=` at the end of base64, also as a URL writes it. */
export declare const PAD = "(?:=|%3D){0,3}";
interface Options {
    whole?: number;
    random?: boolean;
    anywhere?: boolean;
}
/**
 * One line of a table. `starts` are literals between spaces, `rest` is what follows them. Where a fixed letter stands
 * behind an open run in `rest`, the run is at most 300 long: a text of starts may make the search read it each time.
 */
export declare function shape(kind: string, starts: string, rest: string, options?: Options): Shape;
/** The pattern of a shape, sticky, between two fitting ends. */
export declare function patternOf(shape: Shape, wordStart: string, wordEnd: string): RegExp;
export {};
