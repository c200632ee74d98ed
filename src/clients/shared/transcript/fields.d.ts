/**
 * Hand-made checks of what a transcript holds. It is read in bulk, and no part of it can be trusted to have a shape.
 */
export type Fields = Record<string, unknown>;
export declare function isObject(value: unknown): value is Fields;
/** The value if it is an object, else an empty object. */
export declare function fieldsOf(value: unknown): Fields;
/** The value if it is a text, else ''. */
export declare function textOf(value: unknown): string;
/** The value if it is a list, else an empty one. */
export declare function listOf(value: unknown): unknown[];
/** The blocks of a message's content. A plain text becomes one text block. */
export declare function blocksOf(content: unknown): Fields[];
/** Any JSON value as text. `String` would throw for an array whose elements have a `toString` of their own. */
export declare function plainText(value: unknown): string;
/** A text that tells a time, in ISO 8601; undefined for anything else. */
export declare function isoTime(value: unknown): string | undefined;
