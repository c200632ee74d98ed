/**
 * What a name says about its value: a `password` may be made up by a person; a `secret` too, but the word also names
 * what holds one; something `issued` was made by a machine; a `key` may be any key, so that its value has to look drawn.
 */
export type Expectation = 'password' | 'secret' | 'issued' | 'key';
/**
 * What the name of a variable, field, header or flag says about its value, in any case style, or as words. Most names
 * say nothing: `token_count`, `passwordless`, `next_page_token`, `public_key`.
 */
export declare function expectationOf(name: string): Expectation | undefined;
/**
 * The name that the trigger's word at `at` belongs to, from its first letter up to `end`, and the words before it on the
 * line: only all of `AWS Secret Access Key` tells what it is.
 */
export declare function namesAt(text: string, at: number, end: number): {
    start: number;
    name: string;
    words: string;
};
