import { type Found } from './placeholder.ts';
/** Redacts each string in a JSON value. Returns the same value when nothing was redacted. */
export declare function redactStrings(value: unknown, redact: (text: string) => string, found: Found[]): unknown;
