import type { Expectation } from './names.ts';
/**
 * How a value stands in a text: in quotes; as `NAME=value` in capitals without spaces, as in a shell or an .env file; as
 * the rest of a line behind `name: `, as in YAML; or bare, in code, in a command, in prose. Code looks like the last two.
 */
export type Form = 'quoted' | 'env' | 'line' | 'bare';
/** What its surroundings say about a value. */
export interface Clue {
    expected: Expectation;
    form: Form;
}
/** Whether a value found where a secret is expected really is one. Stand-ins, words and code are not. */
export declare function isSecretValue(value: string, { expected, form }: Clue): boolean;
/**
 * Whether a value is no word, name, number or code, whatever stands around it. This is asked where the surroundings are
 * prose or a table, which say `password` and `token` about many things.
 */
export declare function isConvincing(value: string, expected: Expectation): boolean;
/** Whether a person wrote the value in place of a secret: an example, a variable, a mask, or our own placeholder. */
export declare function isStandIn(value: string): boolean;
/** Like `isStandIn` but stricter, for a token of known shape: its random letters may well form a short word. */
export declare function isExample(token: string): boolean;
/**
 * The kind of a secret that only its surroundings gave away. The kind depends on the value alone, so that one secret
 * has the same placeholder in a URL, a shell and a file. Base64 of readable text is as guessable as the text.
 */
export declare function kindOfValue(value: string): string;
