import type { Span, Verdict } from '../scan.ts';
export declare function urlCredentials(text: string, at: number): Span | undefined;
/** `Bearer …`: anything in a header, and what looks drawn elsewhere. */
export declare function schemeCredentials(text: string, at: number): Span | undefined;
/** Whether `at` stands right behind `Authorization: `. */
export declare function inHeader(text: string, at: number): boolean;
export declare function headerCredentials(text: string, at: number): Span | undefined;
export declare function cookieHeader(text: string, at: number): Verdict;
export declare function curlCookie(text: string, at: number): Verdict;
export declare function cookieLine(text: string, at: number): Span | undefined;
export declare function pgpassLine(text: string, at: number): Span | undefined;
export declare function captured(text: string, at: number, pattern: RegExp, and?: (value: string) => boolean): Span | undefined;
