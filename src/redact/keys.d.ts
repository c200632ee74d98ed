import type { Span } from './scan.ts';
/** Finds a private key in PEM or PGP armour at `at`, where `-----BEGIN` stands. */
export declare function privateKeyAt(text: string, at: number): readonly Span[] | undefined;
/** Finds the private half of a PuTTY key at `at`, where `Private-Lines:` stands. */
export declare function puttyKeyAt(text: string, at: number): readonly Span[] | undefined;
/** Finds base64 of a private key at `at`, where base64 of `-----BEGIN` stands; a certificate is no secret. */
export declare function encodedKeyAt(text: string, at: number): readonly Span[] | undefined;
