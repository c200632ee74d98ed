import type { Span } from './scan.ts';
/**
 * Finds signed and encrypted web tokens (JWT, JWE): three or five parts of base64url between dots, the first of which
 * is a JSON object. Each part has its own memory of runs, so that a text of starts without a dot is read once.
 */
export declare function webTokens(text: string): (at: number) => Span | undefined;
