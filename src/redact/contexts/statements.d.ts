import type { Span } from '../scan.ts';
export declare function identifiedBy(text: string, at: number): Span | undefined;
export declare function passwordFor(text: string, at: number): Span | undefined;
export declare function authPair(text: string, at: number): Span | undefined;
export declare function oracleUrl(text: string, at: number): Span | undefined;
export declare function secureString(text: string, at: number): Span | undefined;
