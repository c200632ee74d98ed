import type { Found } from './placeholder.ts';
export type { Found } from './placeholder.ts';
/**
 * Replaces every secret in a text by `[REDACTED:<kind>:<hash>]` (docs/redaction.md says what counts as a secret). The
 * placeholder depends on the secret alone, so it is the same on every machine, at every import and in every place. The
 * function is idempotent, and a text without secrets comes back as it is. `found` has one entry for each replacement,
 * in the order of the search, and never holds a secret. JSON inside the text stays valid JSON, however often it was
 * escaped.
 */
export declare function redactText(text: string): {
    text: string;
    found: Found[];
};
/**
 * Redacts every string in a JSON value, object keys included. The value of a telling key (`password`, `apiKey`) is
 * judged as in `password: …`. Numbers, structure, the order of keys and the data of an attached picture stay as they
 * are. A value without secrets is returned as it is, not copied.
 */
export declare function redactValue<T>(value: T): {
    value: T;
    found: Found[];
};
